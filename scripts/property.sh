#!/usr/bin/env bash
# Following over generated interleavings: 100,000 on the store in memory (or as many as named), a hundredth of them on SQLite.
set -euo pipefail
cd "$(dirname "$0")/.."
n=${1:-100000}
parts=$(getconf _NPROCESSORS_ONLN)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/engine.test" ./engine
cd engine
pids=()
for ((i = 0; i < parts; i++)); do
  "$dir/engine.test" -test.run 'TestFollow_Property' -test.v -test.timeout 2h -stories $((n / parts)) -story $((i * n)) >"$dir/$i" 2>&1 &
  pids+=($!)
done
failed=0
for p in "${pids[@]}"; do wait "$p" || failed=1; done
cat "$dir"/[0-9]*
exit "$failed"
