#!/usr/bin/env bash
# Installs the real OpenCode server from npm into .cache (177 MB the first time) and runs the tests that need it, on loopback.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${OPENCODE_VERSION:-1.18.33}
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) pkg=opencode-linux-x64 ;;
  Linux-aarch64) pkg=opencode-linux-arm64 ;;
  Darwin-arm64) pkg=opencode-darwin-arm64 ;;
  *) echo "e2e: no OpenCode program for this system" >&2; exit 1 ;;
esac
dir=$PWD/.cache/opencode-$version
bin=$dir/node_modules/$pkg/bin/opencode
if [ ! -x "$bin" ]; then
  mkdir -p "$dir"
  (cd "$dir" && npm init -y >/dev/null && npm install --no-audit --no-fund --ignore-scripts "$pkg@$version" >/dev/null)
fi
RECAP_E2E_OPENCODE=$bin exec go test -count=1 -timeout 15m -run E2E "$@" ./agent/opencode/... ./internal/cli
