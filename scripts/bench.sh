#!/usr/bin/env bash
# Builds recap and measures it beside baselines in the same run. Extra words go to internal/bench.
set -euo pipefail
cd "$(dirname "$0")/.."
go build -trimpath -o bin/recap ./cmd/recap
go run ./internal/bench -recap bin/recap "$@"
