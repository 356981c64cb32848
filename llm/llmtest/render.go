package llmtest

import (
	"encoding/json"
	"net/http"

	"github.com/sessionrecap/recap/llm"
)

// render gives status, content type and body of the reply.
func (rep Reply) render(req Request) (status int, kind string, body []byte) {
	status, kind = rep.Status, "application/json"
	if status == 0 {
		status = http.StatusOK
	}
	if rep.Type != "" {
		kind = rep.Type
	}
	if rep.Redirect != "" && rep.Status == 0 {
		status = http.StatusTemporaryRedirect
	}
	var v any
	switch {
	case rep.Body != "" || rep.Type != "":
		return status, kind, []byte(rep.Body)
	case status/100 != 2:
		v = rep.failure(req.Protocol(), status)
	default:
		v = rep.success(req)
	}
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of our own making
	}
	return status, kind, body
}

type object = map[string]any

func (rep Reply) success(req Request) any {
	model := req.Asked().Model
	text := rep.Text
	if text == "" {
		text = Said
	}
	if rep.Silent {
		text = ""
	}
	in, out := rep.Input, rep.Output
	if in == 0 {
		in = int64(len(req.Body)) / 4
	}
	if out == 0 {
		out = int64(len(text)+3) / 4
	}
	switch req.Protocol() {
	case llm.OpenAI:
		return rep.chat(model, text, in, out)
	case llm.Anthropic:
		return rep.message(model, text, in, out)
	}
	return rep.generated(model, text, in, out)
}

func (rep Reply) or(usual string) string {
	if rep.Finish != "" {
		return rep.Finish
	}
	return usual
}

func (rep Reply) chat(model, text string, in, out int64) any {
	m := object{"role": "assistant", "content": text}
	if rep.Silent {
		m["content"] = nil
	}
	if rep.Reasoning != "" {
		m["reasoning_content"] = rep.Reasoning
	}
	if rep.Refusal != "" {
		m["content"], m["refusal"] = nil, rep.Refusal
	}
	choices := []any{object{"index": 0, "finish_reason": rep.or("stop"), "message": m}}
	if rep.Empty {
		choices = []any{}
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1780000000, "model": model, "choices": choices,
		"usage": object{
			"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
			"prompt_tokens_details":     object{"cached_tokens": rep.Cached},
			"completion_tokens_details": object{"reasoning_tokens": rep.Thought},
		},
	}
}

func (rep Reply) message(model, text string, in, out int64) any {
	content := []any{}
	if rep.Reasoning != "" {
		content = append(content, object{"type": "thinking", "thinking": rep.Reasoning, "signature": "c2ln"})
	}
	if text != "" && rep.Refusal == "" {
		content = append(content, object{"type": "text", "text": text})
	}
	if rep.Empty {
		content = []any{}
	}
	finish := rep.or("end_turn")
	if rep.Refusal != "" {
		finish = "refusal"
	}
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": finish, "stop_sequence": nil,
		"usage": object{"input_tokens": in - rep.Cached, "cache_read_input_tokens": rep.Cached, "cache_creation_input_tokens": 0, "output_tokens": out},
	}
}

func (rep Reply) generated(model, text string, in, out int64) any {
	parts := []any{}
	if rep.Reasoning != "" {
		parts = append(parts, object{"text": rep.Reasoning, "thought": true})
	}
	if text != "" {
		parts = append(parts, object{"text": text})
	}
	usage := object{
		"promptTokenCount": in, "candidatesTokenCount": out - rep.Thought, "thoughtsTokenCount": rep.Thought,
		"cachedContentTokenCount": rep.Cached, "totalTokenCount": in + out,
	}
	v := object{"modelVersion": model, "usageMetadata": usage}
	switch {
	case rep.Refusal != "":
		v["promptFeedback"] = object{"blockReason": "PROHIBITED_CONTENT"}
	case !rep.Empty:
		c := object{"index": 0, "finishReason": rep.or("STOP")}
		if len(parts) > 0 {
			c["content"] = object{"role": "model", "parts": parts}
		}
		v["candidates"] = []any{c}
	}
	return v
}

func (rep Reply) failure(p llm.Protocol, status int) any {
	switch p {
	case llm.OpenAI:
		return object{"error": object{"message": rep.Message, "type": "error", "param": nil, "code": rep.Kind}}
	case llm.Anthropic:
		return object{"type": "error", "error": object{"type": rep.Kind, "message": rep.Message}, "request_id": "req_1"}
	}
	e := object{"code": status, "message": rep.Message, "status": rep.Kind}
	if rep.RetryDelay != "" {
		e["details"] = []any{object{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": rep.RetryDelay}}
	}
	return object{"error": e}
}
