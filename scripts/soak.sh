#!/usr/bin/env bash
# The daemon for DURATION (30m) against an OpenCode server whose stream is cut every second, while sessions of
# files move: memory and goroutines must stay flat. Prints a line for each sample.
set -euo pipefail
cd "$(dirname "$0")/.."
go build -trimpath -o bin/recap ./cmd/recap
go run ./internal/bench -recap bin/recap -only soak -duration "${DURATION:-30m}"
