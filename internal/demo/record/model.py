#!/usr/bin/env python3
"""Scripted model server: python3 model.py PORT STORIES_DIR LOG_DIR

Serves the answers of story files over the wire formats of the agents, on loopback only. A story is addressed by the base URL:
http://127.0.0.1:PORT/<story id>/... An agent's main request (one that offers tools) gets the next scripted answer of the turn whose
prompt is the newest prompt in the request. Anything else (titles, probes) gets a harmless answer. GET /<story id>/state tells, for each turn, how many answers ended and how many began.
"""
import json
import os
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, STORIES, LOG = int(sys.argv[1]), sys.argv[2], sys.argv[3]
os.makedirs(LOG, exist_ok=True)
LOCK = threading.Lock()
USED = {}  # (story, turn) -> answers begun
DONE = {}  # (story, turn) -> answers ended
COUNT = [0]


def fill(value, directory):
    if isinstance(value, str):
        return value.replace("{DIR}", directory)
    if isinstance(value, list):
        return [fill(v, directory) for v in value]
    if isinstance(value, dict):
        return {k: fill(v, directory) for k, v in value.items()}
    return value


def story(sid):
    with open(os.path.join(STORIES, sid + ".json"), encoding="utf-8") as f:
        s = json.load(f)
    return fill(s, "/home/dev/src/" + s["project"])


def texts(content):
    if isinstance(content, str):
        return [content]
    return [p["text"] for p in content or [] if isinstance(p, dict) and isinstance(p.get("text"), str)]


def token(prefix, n=20):
    return prefix + uuid.uuid4().hex[:n]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, obj, code=200):
        b = json.dumps(obj).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(b)))
        self.end_headers()
        self.wfile.write(b)

    def sse(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def ev(self, obj, name=None):
        s = (f"event: {name}\n" if name else "") + "data: " + (obj if isinstance(obj, str) else json.dumps(obj)) + "\n\n"
        self.wfile.write(s.encode())
        self.wfile.flush()

    def split(self):
        parts = self.path.split("?")[0].strip("/").split("/", 1)
        return parts[0], "/" + (parts[1] if len(parts) > 1 else "")

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self):
        sid, path = self.split()
        if path == "/state":
            turns = story(sid)["turns"]
            return self.send([[DONE.get((sid, i), 0), USED.get((sid, i), 0)] for i, t in enumerate(turns)])
        if path.endswith("/models"):
            return self.send({"object": "list", "data": [], "models": []})
        return self.send({"ok": True})

    def do_POST(self):
        if (self.headers.get("transfer-encoding") or "").lower() == "chunked":
            raw = b""
            while True:
                size = int(self.rfile.readline().strip() or b"0", 16)
                if size == 0:
                    self.rfile.readline()
                    break
                raw += self.rfile.read(size)
                self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        enc = self.headers.get("content-encoding")
        if enc == "gzip":
            import gzip

            raw = gzip.decompress(raw)
        try:
            b = json.loads(raw) if raw else {}
        except ValueError:
            b = {"_raw": raw[:500].decode("utf8", "replace")}
        sid, path = self.split()
        with LOCK:
            COUNT[0] += 1
            with open(f"{LOG}/{COUNT[0]:04d}-{sid}.json", "w") as f:
                json.dump({"path": self.path, "body": b}, f, indent=1, ensure_ascii=False)
        try:
            if path.endswith("/count_tokens"):
                return self.send({"input_tokens": 1000})
            if ":countTokens" in path:
                return self.send({"totalTokens": 1000})
            if path.endswith("/messages"):
                return self.anthropic(sid, b)
            if path.endswith("/responses"):
                return self.openai(sid, b)
            if path.endswith("/chat/completions"):
                return self.chat(sid, b)
            if "enerateContent" in path:
                return self.gemini(sid, b, "stream" in path)
            return self.send({})
        except (BrokenPipeError, ConnectionResetError):
            pass

    def step(self, sid, prompts, main):
        """The scripted answer for the newest prompt, and the key to count it with."""
        s = story(sid)
        if not main:
            return {"text": json.dumps({"title": s["title"], "isNewTopic": True}, ensure_ascii=False), "title": s["title"], "aside": True}, None
        turn = -1
        for i, t in enumerate(s["turns"]):
            if any(p.strip() == t["prompt"] or p.strip().endswith("\n" + t["prompt"]) for p in prompts):
                turn = i
        if turn < 0:
            return {"text": "OK", "aside": True, "title": s["title"]}, None
        key = (sid, turn)
        answers = s["turns"][turn]["model"]
        with LOCK:
            n = USED.get(key, 0)
            a = answers[min(n, len(answers) - 1)]
            if not a.get("error"):
                USED[key] = n + 1
            else:
                DONE[key] = DONE.get(key, 0) + 1
        time.sleep(a.get("delay", 0.6))
        return a, key

    def ended(self, key):
        if key:
            with LOCK:
                DONE[key] = DONE.get(key, 0) + 1

    def chunks(self, a):
        """The answer's text in pieces; a slow answer takes a.slow seconds."""
        text, slow = a.get("text", ""), a.get("slow", 0)
        size = 24
        pieces = [text[i : i + size] for i in range(0, len(text), size)]
        for p in pieces:
            yield p
            time.sleep(slow / max(1, len(pieces)) if slow else 0.02)

    # ---- Anthropic messages
    def anthropic(self, sid, b):
        prompts = [t for m in b.get("messages", []) if m.get("role") == "user" for t in texts(m.get("content"))]
        a, key = self.step(sid, prompts, bool(b.get("tools")))
        if a.get("error"):
            return self.send({"type": "error", "error": {"type": a.get("errorType", "api_error"), "message": a["message"]}}, a["error"])
        mid = token("msg_01")
        usage = {"input_tokens": 4210, "output_tokens": 96, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 15872}
        stop = "tool_use" if a.get("tools") else "end_turn"
        head = {"id": mid, "type": "message", "role": "assistant", "model": b.get("model"), "stop_sequence": None}
        blocks = [{"type": "text", "text": a.get("text", "")}] if a.get("text") else []
        blocks += [{"type": "tool_use", "id": token("toolu_01"), "name": n, "input": i} for n, i in a.get("tools", [])]
        if not b.get("stream"):
            self.send(dict(head, content=blocks, stop_reason=stop, usage=usage))
            return self.ended(key)
        self.sse()
        self.ev({"type": "message_start", "message": dict(head, content=[], stop_reason=None, usage=dict(usage, output_tokens=1))}, "message_start")
        for i, x in enumerate(blocks):
            if x["type"] == "text":
                self.ev({"type": "content_block_start", "index": i, "content_block": {"type": "text", "text": ""}}, "content_block_start")
                for p in self.chunks(a):
                    self.ev({"type": "content_block_delta", "index": i, "delta": {"type": "text_delta", "text": p}}, "content_block_delta")
            else:
                self.ev({"type": "content_block_start", "index": i, "content_block": dict(x, input={})}, "content_block_start")
                self.ev({"type": "content_block_delta", "index": i, "delta": {"type": "input_json_delta", "partial_json": json.dumps(x["input"], ensure_ascii=False)}}, "content_block_delta")
            self.ev({"type": "content_block_stop", "index": i}, "content_block_stop")
        self.ev({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 96}}, "message_delta")
        self.ev({"type": "message_stop"}, "message_stop")
        self.ended(key)

    # ---- OpenAI responses
    def openai(self, sid, b):
        inp = b.get("input", [])
        prompts = [t for m in inp if isinstance(m, dict) and m.get("role") == "user" for t in texts(m.get("content"))]
        a, key = self.step(sid, prompts, bool(b.get("tools")) and "json_schema" not in json.dumps(b.get("text", {})))
        if a.get("error"):
            return self.send({"error": {"message": a["message"], "type": "server_error", "code": a.get("errorType", "server_error")}}, a["error"])
        rid, items = token("resp_"), []
        if a.get("text"):
            items.append({"type": "message", "id": token("msg_"), "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": a["text"], "annotations": []}]})
        for n, i in a.get("tools", []):
            if isinstance(i, str):
                items.append({"type": "custom_tool_call", "id": token("ctc_"), "call_id": token("call_"), "name": n, "input": i})
            else:
                items.append({"type": "function_call", "id": token("fc_"), "call_id": token("call_"), "name": n, "arguments": json.dumps(i, ensure_ascii=False)})
        self.sse()
        self.ev({"type": "response.created", "response": {"id": rid, "object": "response", "status": "in_progress", "output": []}}, "response.created")
        for i, it in enumerate(items):
            if it["type"] == "message":
                self.ev({"type": "response.output_item.added", "output_index": i, "item": dict(it, content=[], status="in_progress")}, "response.output_item.added")
                for p in self.chunks(a):
                    self.ev({"type": "response.output_text.delta", "item_id": it["id"], "output_index": i, "content_index": 0, "delta": p}, "response.output_text.delta")
            else:
                self.ev({"type": "response.output_item.added", "output_index": i, "item": it}, "response.output_item.added")
            self.ev({"type": "response.output_item.done", "output_index": i, "item": it}, "response.output_item.done")
        usage = {"input_tokens": 4210, "input_tokens_details": {"cached_tokens": 3840}, "output_tokens": 96, "output_tokens_details": {"reasoning_tokens": 12}, "total_tokens": 4306}
        self.ev({"type": "response.completed", "response": {"id": rid, "object": "response", "status": "completed", "output": items, "usage": usage}}, "response.completed")
        self.ended(key)

    # ---- OpenAI chat completions
    def chat(self, sid, b):
        prompts = [t for m in b.get("messages", []) if m.get("role") == "user" for t in texts(m.get("content"))]
        main = len(b.get("tools") or []) > 2 and not isinstance(b.get("tool_choice"), dict)
        a, key = self.step(sid, prompts, main)
        if a.get("error"):
            return self.send({"error": {"message": a["message"], "type": a.get("errorType", "server_error"), "code": a.get("errorType", "server_error")}}, a["error"])
        if a.get("aside"):
            a = dict(a)
            if b.get("response_format") is None:
                a["text"] = a["title"]
            if b.get("tools"):
                n = b["tools"][0]["function"]["name"]
                a["tools"] = [[n, {"title": a["title"]}]]
        calls = [{"index": k, "id": token("call_", 24), "type": "function", "function": {"name": n, "arguments": json.dumps(i, ensure_ascii=False)}} for k, (n, i) in enumerate(a.get("tools", []))]
        fin = "tool_calls" if calls else "stop"
        usage = {"prompt_tokens": 4210, "completion_tokens": 96, "total_tokens": 4306, "prompt_tokens_details": {"cached_tokens": 3840}}
        base = {"id": token("chatcmpl-"), "object": "chat.completion.chunk", "created": int(time.time()), "model": b.get("model")}
        if not b.get("stream"):
            m = {"role": "assistant", "content": a.get("text", "")}
            if calls:
                m["tool_calls"] = [{k: v for k, v in c.items() if k != "index"} for c in calls]
            self.send(dict(base, object="chat.completion", choices=[{"index": 0, "message": m, "finish_reason": fin}], usage=usage))
            return self.ended(key)
        self.sse()

        def part(delta, reason=None):
            self.ev(dict(base, choices=[{"index": 0, "delta": delta, "finish_reason": reason}]))

        part({"role": "assistant", "content": ""})
        for p in self.chunks(a):
            part({"content": p})
        for c in calls:
            part({"tool_calls": [c]})
        part({}, fin)
        self.ev(dict(base, choices=[], usage=usage))
        self.ev("[DONE]")
        self.ended(key)

    # ---- Gemini
    def gemini(self, sid, b, stream):
        prompts = [t for m in b.get("contents", []) if m.get("role") == "user" for t in texts(m.get("parts"))]
        cfg = b.get("generationConfig", {})
        js = cfg.get("responseMimeType") == "application/json" or cfg.get("responseJsonSchema")
        a, key = self.step(sid, prompts, bool(b.get("tools")) and not js)
        if a.get("error"):
            return self.send({"error": {"code": a["error"], "message": a["message"], "status": a.get("errorType", "INTERNAL")}}, a["error"])
        if a.get("aside"):
            a = dict(a, text=json.dumps({"reasoning": "simple", "next_speaker": "user", "complexity_reasoning": "simple", "complexity_score": 10, "model_choice": "flash", "corrected_search_string": ""}) if js else a["title"])
        calls = [{"functionCall": {"name": n, "args": i}, "thoughtSignature": "c2ln"} for n, i in a.get("tools", [])]
        um = {"promptTokenCount": 4210, "candidatesTokenCount": 96, "totalTokenCount": 4318, "thoughtsTokenCount": 12, "cachedContentTokenCount": 3840}

        def resp(parts, fin=None):
            c = {"content": {"role": "model", "parts": parts}, "index": 0}
            if fin:
                c["finishReason"] = fin
            return {"candidates": [c], "usageMetadata": um, "modelVersion": "gemini-3-pro", "responseId": token("", 12)}

        if not stream:
            self.send(resp([{"text": a.get("text", "")}] + calls, "STOP"))
            return self.ended(key)
        self.sse()
        for p in self.chunks(a):
            self.ev(resp([{"text": p}]))
        for c in calls:
            self.ev(resp([c]))
        self.ev(resp([{"text": ""}], "STOP"))
        self.ended(key)


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
