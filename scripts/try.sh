#!/usr/bin/env bash
# Builds recap into ./bin and shows what it does: the recaps of the bundled sample sessions, then those
# of the sessions found on this machine. Nothing leaves the machine; no agent's file is changed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x /usr/local/go/bin/go ] && PATH=$PATH:/usr/local/go/bin
scripts/setup.sh try
echo "recap: building ./bin/recap (the first build takes a few minutes)" >&2
go build -trimpath -o bin/recap ./cmd/recap
echo >&2
echo "== The bundled sample sessions of five agents (recap demo) ==" >&2
bin/recap demo
echo >&2
echo "== The sessions on this machine (recap list) ==" >&2
rc=0
bin/recap list || rc=$?
if [ "$rc" = 3 ]; then
  echo "recap: none found here yet; the samples above show what you will get." >&2
elif [ "$rc" != 0 ]; then
  exit "$rc"
fi
echo >&2
echo "recap: next, in a project where you used an agent: $PWD/bin/recap" >&2
