#!/usr/bin/env python3
"""Copies what the programs wrote into the sample folder and cleans it: python3 collect.py ROOT OUT AGENT... (see README.md)

Vendors' own prompts, tool descriptions and listings become runs of x of the same encoded length; the words of the stories stay.
"""
import glob
import json
import os
import re
import shutil
import sqlite3
import sys

ROOT, OUT = sys.argv[1], sys.argv[2]
HOME = os.path.join(ROOT, "home")
HERE = os.path.dirname(os.path.abspath(__file__))
STORIES = [json.load(open(f, encoding="utf-8")) for f in sorted(glob.glob(os.path.join(HERE, "stories", "*.json")))]
WORDS = [t["prompt"] for s in STORIES for t in s["turns"]] + [a["text"] for s in STORIES for t in s["turns"] for a in t["model"] if a.get("text")]
SWAPS = [(re.compile(p), r) for p, r in [
    (r"Linux \d+\.\d+[\w.\-]*", "Linux 6.12.0"),
    (r"devbox", "localhost"),
    (r"linux:[0-9a-f]{32}:", "linux:" + "0" * 32 + ":"),
    (r"http://127\.0\.0\.1:18500/[a-z\-]+", "http://127.0.0.1:8080"),
    (r"127\.0\.0\.1:18500", "127.0.0.1:8080"),
    (r"/opt/agents/[^\s\"':]*?/node_modules/", "/home/dev/.local/lib/node_modules/"),
]]


def told(s):
    return any(w in s for w in WORDS if len(w) > 6)


def fill(v, least=80):
    if isinstance(v, str):
        if len(v) < least or told(v) or re.fullmatch(r"[\w.:/\-]{1,200}", v):  # names, ids and hashes stay
            return v
        return "x" * (len(json.dumps(v, ensure_ascii=False).encode()) - 2)
    if isinstance(v, list):
        return [fill(x, least) for x in v]
    if isinstance(v, dict):
        return {k: fill(x, least) for k, x in v.items()}
    return v


def swap(text):
    for p, r in SWAPS:
        text = p.sub(r, text)
    return text


def dump(v):
    return json.dumps(v, ensure_ascii=False, separators=(",", ":"))


def rows(src, dst, clean, spaced=False):
    os.makedirs(os.path.dirname(dst), exist_ok=True)
    with open(src, encoding="utf-8") as f, open(dst, "w", encoding="utf-8") as g:
        for line in f:
            g.write(swap(dump(clean(json.loads(line)))) + "\n")


def same(row):
    return row


def claude():
    src, dst = os.path.join(HOME, ".claude"), os.path.join(OUT, "claude")

    def clean(d):
        t = d["type"]
        if t.startswith("api-request"):
            return fill(d, 20)
        if t == "attachment":
            return dict(d, attachment=fill(d["attachment"], 20 if d["attachment"]["type"] == "prompt_snapshot" else 80), **({"rendered": fill(d["rendered"], 0)} if "rendered" in d else {}))
        return d

    for f in glob.glob(src + "/projects/*/*.jsonl"):
        rows(f, dst + f[len(src):], clean)
    rows(src + "/history.jsonl", dst + "/history.jsonl", same)
    for f in glob.glob(src + "/sessions/*.json"):
        rows(f, dst + f[len(src):], same)


def codex():
    src, dst = os.path.join(HOME, ".codex"), os.path.join(OUT, "codex")

    def clean(d):
        t, p = d["type"], d["payload"]
        if t == "session_meta":
            p["base_instructions"] = fill(p.get("base_instructions"), 40)
            return d
        if t in ("world_state", "turn_context"):
            return dict(d, payload=fill(p))
        if t == "event_msg" and p.get("type") == "thread_settings_applied":
            return dict(d, payload=fill(p))
        if t == "response_item" and p.get("role") == "developer":
            return dict(d, payload=dict(p, content=fill(p["content"], 20)))
        return d

    for f in glob.glob(src + "/sessions/*/*/*/*.jsonl"):
        rows(f, dst + f[len(src):], clean)
    rows(src + "/history.jsonl", dst + "/history.jsonl", same)
    rows(src + "/session_index.jsonl", dst + "/session_index.jsonl", same)


def files(src, dst, pattern):
    """Copies small files that hold no vendor's words."""
    for f in glob.glob(src + "/" + pattern, include_hidden=True):
        to = dst + f[len(src):]
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(f, encoding="utf-8") as g, open(to, "w", encoding="utf-8") as h:
            h.write(swap(g.read()))


def gemini():
    src, dst = os.path.join(HOME, ".gemini"), os.path.join(OUT, "gemini")
    for f in glob.glob(src + "/tmp/*/chats/**/*.jsonl", recursive=True):
        rows(f, dst + f[len(src):], same)
    for p in ("projects.json", "tmp/*/logs.json", "tmp/*/.project_root"):
        files(src, dst, p)


def qwen():
    src, dst = os.path.join(HOME, ".qwen"), os.path.join(OUT, "qwen")
    for f in glob.glob(src + "/projects/*/chats/*.jsonl"):
        rows(f, dst + f[len(src):], same)
    for p in ("projects/*/chats/*.runtime.json", "tmp/*/logs.json", "todos/*.json", "usage_record.jsonl"):
        files(src, dst, p)


def opencode():
    src, dst = os.path.join(HOME, ".local/share/opencode"), os.path.join(OUT, "opencode")
    os.makedirs(dst, exist_ok=True)
    to = os.path.join(dst, "opencode.db")
    for end in ("", "-wal"):
        if os.path.exists(f"{src}/opencode.db{end}"):
            shutil.copy(f"{src}/opencode.db{end}", to + end)
    db = sqlite3.connect(to, isolation_level=None)
    for table in ("message", "part", "event"):
        for rid, data in db.execute(f"select rowid, data from {table}").fetchall():
            if swap(data) != data:
                db.execute(f"update {table} set data = ? where rowid = ?", (swap(data), rid))
    db.execute("vacuum")
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    for end in ("-wal", "-shm"):
        if os.path.exists(to + end):
            os.remove(to + end)


VERSIONS = {"claude": "Claude Code 2.1.332", "codex": "Codex 0.171.0", "gemini": "Gemini CLI 0.61.0", "qwen": "Qwen Code 0.24.4", "opencode": "OpenCode 1.18.33"}


def title(agent, sid):
    """The title the program itself recorded, if any."""
    if agent == "opencode":
        db = sqlite3.connect(f"file:{OUT}/opencode/opencode.db?mode=ro&immutable=1", uri=True)
        return db.execute("select title from session where id = ?", (sid,)).fetchone()[0]
    name = ""
    if agent == "codex":
        with open(f"{OUT}/codex/session_index.jsonl", encoding="utf-8") as f:
            for row in map(json.loads, f):
                if row["id"] == sid:
                    name = row["thread_name"]
    return name


def find(agent, prompt):
    """The id and the file of the recorded session that holds the prompt."""
    if agent == "opencode" and os.path.exists(f"{OUT}/opencode/opencode.db"):
        db = sqlite3.connect(f"file:{OUT}/opencode/opencode.db?mode=ro&immutable=1", uri=True)
        for sid, data in db.execute("select session_id, data from part"):
            if json.loads(data).get("text") == prompt:
                return sid, "opencode/opencode.db"
        return None, None
    for f in sorted(glob.glob(f"{OUT}/{agent}/**/*.jsonl", recursive=True)):
        if os.path.basename(f) in ("history.jsonl", "session_index.jsonl") or "/subagents/" in f:
            continue
        with open(f, encoding="utf-8") as g:
            text = g.read()
        if dump(prompt) in text:
            first = json.loads(text.split("\n", 1)[0])
            sid = first["payload"]["id"] if agent == "codex" else first.get("sessionId") or first.get("session_id")
            return sid, os.path.relpath(f, OUT)
    return None, None


def index():
    order = {a: i for i, a in enumerate(VERSIONS)}
    out, table = [], ["| agent | session | file | story | language | state | status | what it proves |", "|---|---|---|---|---|---|---|---|"]
    for s in sorted(STORIES, key=lambda s: (order.get(s["agent"], 9), s.get("order", 0), s["id"])):
        if s["agent"] not in VERSIONS:
            continue
        sid, f = find(s["agent"], s["turns"][0]["prompt"])
        if not sid:
            print("missing", s["id"])
            continue
        out.append({"agent": s["agent"], "id": sid, "directory": "/home/dev/src/" + s["project"], "language": s["language"], "title": title(s["agent"], sid),
                    "lastRequest": s["lastRequest"], "expect": s["expect"], "note": s["note"]})
        table.append(f"| {s['agent']} | `{sid}` | `{f}` | {s['title']} | {s['language']} | {s['expect']['state']} | {', '.join(s['expect']['status'])} | {s['note']} |")
    with open(os.path.join(OUT, "stories.json"), "w", encoding="utf-8") as f:
        json.dump(out, f, ensure_ascii=False, indent=2)
        f.write("\n")
    with open(os.path.join(HERE, "sessions.md"), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(OUT, "README.md"), "w", encoding="utf-8") as f:
        f.write(text.replace("{TABLE}", "\n".join(table)))
    print(len(out), "stories indexed")


def main():
    for a in sys.argv[3:]:
        shutil.rmtree(os.path.join(OUT, a), ignore_errors=True)
        globals()[a]()
    index()
    total = 0
    for d, _, fs in os.walk(OUT):
        for f in fs:
            total += os.path.getsize(os.path.join(d, f))
    print("bytes", total)


main()
