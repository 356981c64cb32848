package opencodetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Said is the model's answer where the script says nothing else.
const Said = "The tool has spoken."

// Request is a request to the model.
type Request struct {
	// Body is the JSON that was sent.
	Body []byte
	// User is the newest user message as JSON, Answered tells whether a tool's
	// result follows it, Tools how many tools the model may call.
	User     string
	Answered bool
	Tools    int
	// Gone is closed when the caller hung up, or was answered.
	Gone <-chan struct{}
}

// Has tells whether a text stands anywhere in the request.
func (r Request) Has(text string) bool { return strings.Contains(string(r.Body), text) }

// Model is a scripted model in the protocol of chat completions, streamed or
// whole as it is asked.
type Model struct {
	// URL is its address, without "/v1".
	URL string

	mu       sync.Mutex
	requests []Request
	aborted  int
	answer   func(Request) (string, bool)
}

// StartModel starts a model that ends with the test.
func StartModel(t testing.TB) *Model {
	t.Helper()
	m := &Model{}
	s := httptest.NewServer(m)
	m.URL = s.URL
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return m
}

// Answer sets what is asked before the script: a text, and true where it
// answers. It may wait on Request.Gone. nil is the script alone.
func (m *Model) Answer(fn func(Request) (string, bool)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = fn
}

// Requests gives what was asked so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

// Aborted counts the requests whose caller hung up before the answer was over.
func (m *Model) Aborted() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.aborted
}

// ServeHTTP answers a request.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	var in struct {
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []json.RawMessage
	}
	if err != nil || json.Unmarshal(body, &in) != nil {
		http.Error(w, `{"error":{"message":"no JSON"}}`, http.StatusBadRequest)
		return
	}
	req := Request{Body: body, Tools: len(in.Tools), Gone: r.Context().Done()}
	for _, msg := range in.Messages {
		switch msg.Role {
		case "user":
			req.User, req.Answered = string(msg.Content), false
		case "tool":
			req.Answered = true
		}
	}
	m.mu.Lock()
	m.requests = append(m.requests, req)
	answer := m.answer
	m.mu.Unlock()
	over := false
	defer func() {
		if over {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.aborted++
	}()

	out := writer{w: w, stream: in.Stream}
	if answer != nil {
		if text, ok := answer(req); ok {
			if r.Context().Err() == nil {
				over = out.text(text)
			}
			return
		}
	}
	over = play(req, &out)
}

// play follows the script; false where the caller hung up.
func play(req Request, out *writer) bool {
	call := func(name string, args any) bool { return out.call(name, args) }
	bash := func(cmd string) bool {
		return call("bash", map[string]any{"command": cmd, "description": "run it"})
	}
	if !req.Answered && req.Tools > 0 {
		switch cmd, given := marker(req.User, "tool"); {
		case given && cmd != "":
			return bash(cmd)
		case given:
			return bash("echo from-the-tool")
		case has(req.User, "ask"):
			return bash("rm -rf dup")
		case has(req.User, "question"):
			return call("question", map[string]any{"questions": []any{map[string]any{
				"question": "Which port?", "header": "Port", "options": []any{
					map[string]any{"label": "8080", "description": "the usual"}, map[string]any{"label": "9090", "description": "the other"},
				},
			}}})
		case has(req.User, "task"):
			return call("task", map[string]any{"description": "look", "prompt": "[say:The subagent looked.]", "subagent_type": "general"})
		}
	}
	if ms, ok := marker(req.User, "slow"); ok {
		n, _ := strconv.Atoi(ms)
		wait := time.NewTimer(time.Duration(n) * time.Millisecond)
		defer wait.Stop()
		select {
		case <-req.Gone:
			return false
		case <-wait.C:
		}
	}
	switch {
	case has(req.User, "hang"):
		out.begin("I begin ")
		<-req.Gone
		return false
	case has(req.User, "err"):
		out.w.Header().Set("Content-Type", "application/json")
		out.w.WriteHeader(http.StatusBadRequest)
		_, err := io.WriteString(out.w, `{"error":{"message":"the model said no","type":"invalid_request_error"}}`)
		return err == nil
	}
	if text, ok := marker(req.User, "say"); ok {
		return out.text(text)
	}
	return out.text(Said)
}

func has(text, name string) bool { _, ok := marker(text, name); return ok }

// marker finds [name] or [name:value].
func marker(text, name string) (string, bool) {
	if strings.Contains(text, "["+name+"]") {
		return "", true
	}
	_, rest, ok := strings.Cut(text, "["+name+":")
	if !ok {
		return "", false
	}
	value, _, ok := strings.Cut(rest, "]")
	return value, ok
}

// writer gives an answer in the form that was asked for.
type writer struct {
	w      http.ResponseWriter
	stream bool
}

func (o *writer) event(delta map[string]any, finish any) bool {
	o.w.Header().Set("Content-Type", "text/event-stream")
	b, err := json.Marshal(map[string]any{
		"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake-large",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
	})
	if err != nil {
		return false
	}
	_, err = fmt.Fprintf(o.w, "data: %s\n\n", b)
	if f, ok := o.w.(http.Flusher); ok {
		f.Flush()
	}
	return err == nil
}

func (o *writer) done() bool {
	_, err := io.WriteString(o.w, "data: [DONE]\n\n")
	return err == nil
}

func (o *writer) whole(message map[string]any, finish string) bool {
	o.w.Header().Set("Content-Type", "application/json")
	message["role"] = "assistant"
	return json.NewEncoder(o.w).Encode(map[string]any{
		"id": "c1", "object": "chat.completion", "created": 1, "model": "fake-large",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
	}) == nil
}

// begin sends the beginning of a text.
func (o *writer) begin(text string) {
	if o.stream {
		o.event(map[string]any{"role": "assistant", "content": text}, nil)
	}
}

func (o *writer) text(s string) bool {
	if !o.stream {
		return o.whole(map[string]any{"content": s}, "stop")
	}
	return o.event(map[string]any{"role": "assistant", "content": s}, nil) && o.event(map[string]any{}, "stop") && o.done()
}

func (o *writer) call(name string, args any) bool {
	b, err := json.Marshal(args)
	if err != nil {
		return false
	}
	calls := []any{map[string]any{
		"index": 0, "id": fmt.Sprintf("call_%d", time.Now().UnixNano()), "type": "function",
		"function": map[string]any{"name": name, "arguments": string(b)},
	}}
	if !o.stream {
		return o.whole(map[string]any{"tool_calls": calls}, "tool_calls")
	}
	return o.event(map[string]any{"role": "assistant", "tool_calls": calls}, nil) && o.event(map[string]any{}, "tool_calls") && o.done()
}
