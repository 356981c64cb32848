package config

import (
	"reflect"
	"testing"
	"time"
)

// The defaults that people are told, in figures.
func TestDefaults(t *testing.T) {
	want := map[string]any{
		"assist.auto": false, "assist.recap": true, "assist.suggestion": true, "assist.quiet_window": time.Minute,
		"away.enabled": false, "away.threshold": 5 * time.Minute,
		"model.override": "", "model.allow_cross_provider": false, "model.manual": false,
		"budget.daily_tokens": 500_000.0, "budget.daily_usd": 1.0, "budget.session_tokens": 50_000.0,
		"privacy.redact": true, "privacy.exclude": []string{},
		"recent.days": 7, "recent.max": 10, "recent.tokens": 600, "recent.scope": "project",
		"language": "auto", "server.listen": "127.0.0.1:4747", "server.token": "",
		"log.level": "info", "log.file": "", "store.url": "sqlite",
	}
	c, _ := setup(t, "", nil)
	for key, v := range want {
		if got, ok := c.values[key]; !ok || !reflect.DeepEqual(got.Value, v) {
			t.Errorf("%s: %v, want %v", key, got.Value, v)
		}
	}
	if n := len(Settings()); n != len(want) {
		t.Errorf("%d settings, %d have their default here", n, len(want))
	}
	if c.Limit("budget.daily_usd") != 1 || c.Bool("assist.auto") {
		t.Error("what is read is not what is set")
	}
}
