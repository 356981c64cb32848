package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
)

// What is stored is announced once, also where nothing comes of the model; where
// a model takes long, the free recap is announced first.
func TestFollow_Announced(t *testing.T) {
	for name, tt := range map[string]struct {
		model func(w *liveWorld) error
		after time.Duration // then a new message comes
		want  string
	}{
		"at once":          {func(*liveWorld) error { return nil }, 0, "model 1m0s"},
		"after 20 seconds": {func(*liveWorld) error { time.Sleep(20 * time.Second); return nil }, 0, "model 1m20s"},
		"after 50 seconds": {func(*liveWorld) error { time.Sleep(50 * time.Second); return nil }, 0, "extractive 1m30s,model 1m50s"},
		"fails": {func(*liveWorld) error {
			return &llm.Error{Code: recap.CodeProviderError, Provider: "anthropic", Status: 500}
		}, 0, "extractive 1m0s"},
		"fails after 50 seconds": {func(*liveWorld) error {
			time.Sleep(50 * time.Second)
			return &llm.Error{Code: recap.CodeProviderError, Provider: "anthropic", Status: 500}
		}, 0, "extractive 1m30s"},
		"switched off as it comes": {func(w *liveWorld) error {
			w.allow(func(s *engine.FollowSettings) { s.Auto = false })
			return nil
		}, 0, "extractive 1m0s"},
		"all off as it comes": {func(w *liveWorld) error {
			w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false })
			return nil
		}, 0, ""},
		"goes on unheard": {func(w *liveWorld) error {
			time.Sleep(20 * time.Second)
			w.change("s1", func(s *liveSession) { s.ask(time.Now()) })
			time.Sleep(20 * time.Second)
			return nil
		}, 0, ""},
		"goes on":            {func(*liveWorld) error { time.Sleep(50 * time.Second); return nil }, 80 * time.Second, ""},
		"goes on after that": {func(*liveWorld) error { time.Sleep(50 * time.Second); return nil }, 100 * time.Second, "extractive 1m30s"},
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
				w.model = func(context.Context, int, string) (llm.Response, error) { return llm.Response{}, tt.model(w) }
				w.prompt("s1")
				w.finish("s1")
				if tt.after > 0 {
					time.Sleep(tt.after)
					w.prompt("s1")
				}
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if got := strings.Join(w.announced(), ","); got != tt.want {
					t.Errorf("announced %q, want %q", got, tt.want)
				}
				// The agent's own metadata are written once a tail.
				if n := len(w.mirrored("s1")); n > 1 {
					t.Errorf("mirrored %d times", n)
				}
			})
		})
	}
}
