#!/usr/bin/env bash
# Sets up and passes every check: format, lint, vet, vulnerabilities, architecture, cross builds, and
# all tests with the race detector. Needs the package registries the first time, nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x /usr/local/go/bin/go ] && PATH=$PATH:/usr/local/go/bin
scripts/setup.sh check
exec make check
