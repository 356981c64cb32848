#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each (default 10m), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10m}
only=${2:-.}
failed=0 ran=0
while IFS=: read -r file target; do
  pkg=./$(dirname "$file")
  echo "== $pkg $target for $time"
  if go test "$pkg" -run '^$' -fuzz "^${target}\$" -fuzztime "$time" -fuzzminimizetime 2s; then ran=$((ran + 1)); else failed=$((failed + 1)); fi
done < <(git ls-files '*_test.go' | xargs grep -Eo '^func Fuzz[A-Za-z0-9_]+' | sed -E 's/^([^:]+):func (Fuzz[A-Za-z0-9_]+)$/\1:\2/' | grep -E "$only")
echo "fuzz: $ran passed, $failed failed"
[ "$failed" = 0 ]
