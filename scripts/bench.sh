#!/usr/bin/env bash
# Builds recap and measures it beside baselines in the same run. Extra words go to internal/bench.
# Then what stands around a model call, beside the bare client and a copy of the text.
set -euo pipefail
cd "$(dirname "$0")/.."
go build -trimpath -o bin/recap ./cmd/recap
go run ./internal/bench -recap bin/recap "$@"
go test -run '^$' -bench . ./prompt ./outbound ./engine
