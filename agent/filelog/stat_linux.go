package filelog

import "syscall"

func ctime(st *syscall.Stat_t) uint64 {
	return uint64(st.Ctim.Nano()) //nolint:gosec // only compared
}
