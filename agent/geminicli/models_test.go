package geminicli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// keyMark stands in every key of these tests.
const keyMark = "sk-made-"

func TestModels(t *testing.T) {
	const (
		user  = "home/.gemini/settings.json"
		creds = "home/.gemini/oauth_creds.json"
	)
	kind := func(k string) string { return `{"security":{"auth":{"selectedType":"` + k + `"}}}` }
	for _, c := range []struct {
		name          string
		files         map[string]string
		env           map[string]string
		session, want string
		problem       string
	}{
		{"nothing at all", nil, nil, "google", "google|gemini||||", ""},
		{"key in the environment", nil, map[string]string{"GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY|", ""},
		{"the other name", nil, map[string]string{"GOOGLE_API_KEY": "sk-made-2"}, "google", "google|gemini||sk-made-2|env GOOGLE_API_KEY|", ""},
		{"both names", nil, map[string]string{"GOOGLE_API_KEY": "sk-made-2", "GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY|", ""},
		{"the person's .env", map[string]string{"home/.gemini/.env": "# mine\nexport GEMINI_API_KEY='sk-made-3'\n"}, nil, "google", "google|gemini||sk-made-3|GEMINI_API_KEY of @/home/.gemini/.env|", ""},
		{".env of the home", map[string]string{"home/.env": "GEMINI_API_KEY=sk-made-3"}, nil, "google", "google|gemini||sk-made-3|GEMINI_API_KEY of @/home/.env|", ""},
		{"the environment before .env", map[string]string{"home/.gemini/.env": "GEMINI_API_KEY=sk-made-3"}, map[string]string{"GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY|", ""},
		{".env is a folder of programs", map[string]string{"src/app/.env/bin/python": "x"}, map[string]string{"GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY|", ""},
		{"another address is another provider", map[string]string{"home/.gemini/.env": "GEMINI_API_KEY=sk-made-3\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:5/\n"}, nil, "gemini@127.0.0.1:5", "gemini@127.0.0.1:5|gemini|http://127.0.0.1:5|sk-made-3|GEMINI_API_KEY of @/home/.gemini/.env|", ""},
		{"headers", nil, map[string]string{"GEMINI_API_KEY": "sk-made-1", "GEMINI_CLI_CUSTOM_HEADERS": "X-Team: red, bad, X-Two:b"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY||map[X-Team:red X-Two:b]", ""},
		{"Google login", map[string]string{user: kind("oauth-personal"), creds: `{"access_token":"sk-made-t"}`}, nil, "google", "google|gemini|||Google login|subscription login", ""},
		{"Google login beside a key", map[string]string{user: kind("oauth-personal")}, map[string]string{"GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini|||Google login|subscription login", ""},
		{"Google login, older settings", map[string]string{user: "{\n// mine\n\"selectedAuthType\": \"oauth-personal\",\n}"}, nil, "google", "google|gemini|||Google login|subscription login", ""},
		{"Google login, no settings", map[string]string{creds: `{}`}, nil, "google", "google|gemini|||oauth_creds.json|subscription login", ""},
		{"Google login by variable", nil, map[string]string{"GOOGLE_GENAI_USE_GCA": "true"}, "google", "google|gemini|||Google login|subscription login", ""},
		{"a key is chosen, a login is left over", map[string]string{user: kind("gemini-api-key"), creds: `{}`}, map[string]string{"GEMINI_API_KEY": "sk-made-1"}, "google", "google|gemini||sk-made-1|env GEMINI_API_KEY|", ""},
		{"a key is chosen, there is none", map[string]string{user: kind("gemini-api-key"), creds: `{}`}, nil, "google", "google|gemini||||", ""},
		{"a variable in the settings", map[string]string{user: kind("${KIND}")}, map[string]string{"KIND": "oauth-personal"}, "google", "google|gemini|||Google login|subscription login", ""},
		{"Vertex", map[string]string{user: kind("vertex-ai")}, map[string]string{"GOOGLE_API_KEY": "sk-made-2"}, "google-vertex", "google-vertex||||Vertex AI|login of a cloud platform", ""},
		{"Vertex by variable", nil, map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_API_KEY": "sk-made-2"}, "google-vertex", "google-vertex||||Vertex AI|login of a cloud platform", ""},
		{"E62 a sentinel is no key", nil, map[string]string{"GEMINI_API_KEY": "dummy"}, "google", "google|gemini||||", ""},
		{"H2 broken settings", map[string]string{user: `{"k":sk-made-7}`}, nil, "google", "google|gemini||||", "not a JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := agenttest.Lay(t, c.files)
			s := New(Config{Name: "gemini", Root: filepath.Join(dir, "home/.gemini")})
			x := recap.Session{Directory: filepath.Join(dir, "src/app"), Model: recap.ModelRef{Provider: "google", ID: "gemini-pro"}}
			got, err := s.Models(t.Context(), x, func(n string) string { return c.env[n] })
			if err != nil || len(got.Providers) != 1 {
				t.Fatalf("%v, %d providers", err, len(got.Providers))
			}
			if want := (recap.ModelRef{Provider: c.session, ID: "gemini-pro"}); got.Session != want || got.Small != (recap.ModelRef{}) {
				t.Errorf("session %v, small %v", got.Session, got.Small)
			}
			if got, want := showProvider(got.Providers[0]), strings.ReplaceAll(c.want, "@/", dir+"/"); got != want {
				t.Errorf("provider\n got %q\nwant %q", got, want)
			}
			if got.SessionBarred != "" || got.SmallBarred != "" {
				t.Errorf("barred: %q, %q", got.SessionBarred, got.SmallBarred)
			}
			checkProblems(t, got.Problems, c.problem)
		})
	}
}

func showProvider(p agent.ProviderSettings) string {
	s := strings.Join([]string{p.ID, p.Protocol, p.BaseURL, p.Key, p.Origin, p.Problem}, "|")
	if len(p.Headers) > 0 {
		s += fmt.Sprintf("|%v", p.Headers)
	}
	return s
}

func checkProblems(t *testing.T, got []agent.Problem, want string) {
	t.Helper()
	found := want == "" && len(got) == 0
	for _, p := range got {
		found = found || p.Reason == want
		if text := fmt.Sprintf("%v %+v %v", p.Error(), p, p.Err); strings.Contains(text, keyMark) {
			t.Errorf("a problem holds a key: %s", text)
		}
	}
	if !found {
		t.Errorf("problems %v, want %q", got, want)
	}
}

// A project's file may be anybody's. It decides neither an address nor a key nor
// a header: the providers are those of the person's own settings, and where the
// agent would go elsewhere the provider is barred.
func TestProjectDecidesNoProvider(t *testing.T) {
	const (
		dotenv   = "src/app/.env"
		settings = "src/app/.gemini/settings.json"
		keyless  = "google|gemini||||"
		keyed    = "google|gemini||sk-made-1|env GEMINI_API_KEY|"
		own      = "google|gemini||sk-made-3|GEMINI_API_KEY of @/home/.gemini/.env|"
	)
	key := map[string]string{"GEMINI_API_KEY": "sk-made-1"}
	kind := func(k string) string { return `{"security":{"auth":{"selectedType":"` + k + `"}}}` }
	for _, c := range []struct {
		name           string
		files          map[string]string
		env            map[string]string
		want           string
		session, small string // "@/" is the scratch folder
	}{
		{"an address", map[string]string{dotenv: "GOOGLE_GEMINI_BASE_URL=http://evil.example"}, key, keyed, "GOOGLE_GEMINI_BASE_URL of @/" + dotenv, ""},
		{"a local address", map[string]string{"src/app/.gemini/.env": "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9"}, nil, keyless, "GOOGLE_GEMINI_BASE_URL of @/src/app/.gemini/.env", ""},
		{"an address above the session's folder", map[string]string{"src/.env": "GOOGLE_GEMINI_BASE_URL=http://evil.example"}, key, keyed, "GOOGLE_GEMINI_BASE_URL of @/src/.env", ""},
		{"an address and its own key", map[string]string{dotenv: "GOOGLE_GEMINI_BASE_URL=http://evil.example\nGEMINI_API_KEY=sk-made-5"}, nil, keyless, "GOOGLE_GEMINI_BASE_URL of @/" + dotenv, ""},
		{"a key", map[string]string{dotenv: "GEMINI_API_KEY=sk-made-5"}, nil, keyless, "GEMINI_API_KEY of @/" + dotenv, ""},
		{"a key, .gemini/.env before .env", map[string]string{dotenv: "GEMINI_API_KEY=sk-made-4", "src/app/.gemini/.env": "GEMINI_API_KEY=sk-made-5"}, nil, keyless, "GEMINI_API_KEY of @/src/app/.gemini/.env", ""},
		{"a key, the environment wins", map[string]string{dotenv: "GEMINI_API_KEY=sk-made-5"}, key, keyed, "", ""},
		{"a header", map[string]string{dotenv: "GEMINI_CLI_CUSTOM_HEADERS=X-Team:red"}, key, keyed, "GEMINI_CLI_CUSTOM_HEADERS of @/" + dotenv, ""},
		{"another platform", map[string]string{dotenv: "GOOGLE_GENAI_USE_VERTEXAI=true"}, key, keyed, "GOOGLE_GENAI_USE_VERTEXAI of @/" + dotenv, ""},
		{"another login", map[string]string{"home/.gemini/settings.json": kind("gemini-api-key"), settings: kind("oauth-personal")}, key, keyed, "the login of @/" + settings, ""},
		{"a login by key", map[string]string{"home/.gemini/settings.json": kind("oauth-personal"), settings: kind("gemini-api-key")}, key, "google|gemini|||Google login|subscription login", "the login of @/" + settings, ""},
		{"the person's .env is not reached", map[string]string{"home/.gemini/.env": "GEMINI_API_KEY=sk-made-3", dotenv: "OTHER=1"}, nil, own, "@/" + dotenv, ""},
		{"an address that Gemini CLI handed on", map[string]string{dotenv: "GOOGLE_GEMINI_BASE_URL=http://evil.example"}, map[string]string{"GEMINI_CLI": "1", "GOOGLE_GEMINI_BASE_URL": "http://evil.example", "GEMINI_API_KEY": "sk-made-1"}, keyed, "GOOGLE_GEMINI_BASE_URL of @/" + dotenv, ""},
		{"other things", map[string]string{dotenv: "DATABASE=x", settings: `{"ui":{"theme":"x"}}`}, key, keyed, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := agenttest.Lay(t, c.files)
			s := New(Config{Name: "gemini", Root: filepath.Join(dir, "home/.gemini")})
			x := recap.Session{Directory: filepath.Join(dir, "src/app"), Model: recap.ModelRef{Provider: "google", ID: "gemini-pro"}}
			got, err := s.Models(t.Context(), x, func(n string) string { return c.env[n] })
			if err != nil {
				t.Fatal(err)
			}
			agenttest.Barring{Providers: c.want, Session: c.session, Small: c.small}.Check(t, got, dir, keyMark, showProvider)
		})
	}
}
