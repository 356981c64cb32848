#!/usr/bin/env bash
# Installs what the scripts beside this one need and is missing: git, a C compiler (for the race
# detector), make, tmux and file. Says what it does. Does nothing where all is there.
set -euo pipefail
missing=()
need() { command -v "$1" >/dev/null 2>&1 || missing+=("$2"); }
need git git
if [ "${1:-try}" = check ]; then
  need gcc gcc
  need make make
  need tmux tmux
  [ -e /usr/include/stdlib.h ] || missing+=(libc6-dev)
fi
if ! command -v go >/dev/null 2>&1; then
  if [ -x /usr/local/go/bin/go ]; then
    echo "recap: Go is in /usr/local/go/bin; put it on your PATH" >&2
  else
    echo "recap: Go 1.26 or newer is needed: https://go.dev/doc/install" >&2
  fi
  exit 1
fi
if [ ${#missing[@]} -gt 0 ]; then
  if command -v apt-get >/dev/null 2>&1; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "recap: installing with apt-get: ${missing[*]}" >&2
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  else
    echo "recap: please install: ${missing[*]}" >&2
    exit 1
  fi
fi
