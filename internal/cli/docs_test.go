package cli_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/internal/config"
)

var update = flag.Bool("docs", false, "write docs/cli-json.md and docs/settings.md")

// page compares a generated page with the one in docs. `go test -docs` writes
// it.
func page(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", name)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/%s is not what the code says: go test ./internal/cli -run TestDocs -docs", name)
	}
}

func TestDocsSettings(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Settings

Generated from the code; a test holds it true.

Settings stand in ` + "`$XDG_CONFIG_HOME/recap/config.toml`" + ` (another file: ` + "`RECAP_CONFIG`" + `), in the environment, and in flags. A flag outranks the
environment, the environment outranks the file, the file outranks the default. The variable of a key is ` + "`RECAP_`" + ` and the key in capitals,
with ` + "`_`" + ` for a dot: ` + "`" + config.EnvName("assist.auto") + "`" + `. In a variable a list is divided as ` + "`PATH`" + ` is,
or written as in the file: ` + "`[\"/a\", \"/b\"]`" + `.

` + "`recap config`" + ` shows every setting with its origin, ` + "`recap config set KEY VALUE`" + ` changes one and keeps the rest of the file as it is, comments
too. A key that is unknown and a value of a wrong type are named with line and key; the rest of the file counts.

| key | value | default | |
|---|---|---|---|
`)
	for _, s := range config.Settings() {
		row(&b, s)
	}
	b.WriteString(`
## Homes of agents and providers of models

NAME is one of the five agents, or a name of yours. The variables of the five agents' homes work as above
(` + "`RECAP_SOURCES_CLAUDE=off`, `RECAP_SOURCES_CLAUDE_HOME=~/work/.claude`" + `). The agents' own variables are read too: ` + "`CLAUDE_CONFIG_DIR`, `CODEX_HOME`,\n`GEMINI_CLI_HOME`, `QWEN_HOME`, `QWEN_RUNTIME_DIR`, `OPENCODE_DB`, `XDG_DATA_HOME`" + `.

` + "```toml" + `
[sources.work]
agent = "claude"
home = "~/work/.claude"
` + "```" + `

| key | value | default | |
|---|---|---|---|
`)
	for _, s := range config.Tables() {
		row(&b, s)
	}
	b.WriteString("\n## Directories that are never read\n\n`privacy.exclude` and what a `" + config.ProjectFile + "` leaves out must hold. Where the settings file can't be understood and may name\n" +
		"such directories, recap reads nothing and says which line to mend (exit code 4). A relative directory in the settings file begins at your home\n" +
		"directory. What the environment says (`" + config.EnvName("privacy.exclude") + "`) outranks the file, a broken one too.\n")
	b.WriteString("\n## A project's own file\n\n`" + config.ProjectFile + "` in a directory speaks for everything below it, and can only narrow. `off = true` takes it out: nothing of it is read\n" +
		"or made any more, and what was kept before is shown nowhere (`recap forget --project` there removes it). A file that can't be understood does the same. These keys count in it, and only where they take something away:\n\n")
	for _, s := range config.Settings() {
		if s.Narrows() {
			fmt.Fprintf(&b, "- `%s`\n", s.Key)
		}
	}
	b.WriteString(`
## The home directory

It is ` + "`HOME`" + `, else what the system's list of users says. A ` + "`HOME`" + ` or ` + "`XDG_...`" + ` variable that is no absolute path does not count, and is named
in a notice. Where nothing says which directory it is, recap stops.

## What a terminal is taken to show

The first of ` + "`LC_ALL`, `LC_CTYPE` and `LANG`" + ` that is set decides whether marks are drawn in Unicode or ASCII. Where none is set they are drawn in
Unicode: containers, cron and many remote shells have no locale in front of a UTF-8 terminal, and the words of the sessions come in UTF-8 anyway. Old
terminals (` + "`TERM=dumb`, `TERM=vt100`" + ` and the like) get ASCII then. ` + "`LC_ALL=C`" + ` asks for it.
`)
	page(t, "settings.md", b.String())
}

func row(b *strings.Builder, s config.Setting) {
	def := ""
	if s.DefaultText() != "" {
		def = "`" + s.DefaultText() + "`"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", s.Key, s.Type(), def, s.Doc)
}

// shapes are what each command prints under --json.
func shapes() []struct {
	command, note string
	shape         any
} {
	type shape = struct {
		command, note string
		shape         any
	}
	return []shape{
		{"recap, recap SESSION, recap show SESSION", "", api.Result{}},
		{"recap list, recap search WORDS", "One object a line, newest first; no line where there is nothing.", api.Row{}},
		{"recap away", "", api.Away{}},
		{"recap show SESSION --turns", "", api.Turns{}},
		{"recap why SESSION", "", api.Why{}},
		{"recap --dry-run", "", api.DryRun{}},
		{"recap spend", "", api.Spend{}},
		{"recap egress", "One object a line, newest first; no line where nothing has left the machine.", api.Egress{}},
		{"recap serve", "One object a line, while it runs.", api.ServeEvent{}},
		{"an error of any command", "", api.ErrorBody{}},
	}
}

func TestDocsJSON(t *testing.T) {
	docs := comments(t, "../../api/types.go", "../../record.go", "../../session.go")
	var b strings.Builder
	b.WriteString(`# What the commands print under --json

Generated from the types of package ` + "`api`" + `; a test holds it true.

Every command that prints data takes ` + "`--json`" + `: one object on one line, or one a line. More fields may come, these stay; readers ignore
fields they don't know. Times are RFC 3339 in UTC. Under ` + "`--json`" + ` errors stand on standard output too, notices on standard error. Texts are redacted, and
hold no control characters; ids and paths of others may, and every string escapes DEL, C1 controls, line separators, bidirectional formatting and tags.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to recap, 4 refused.
`)
	var types []reflect.Type
	for _, s := range shapes() {
		typ := reflect.TypeOf(s.shape)
		fmt.Fprintf(&b, "\n## %s\n\n", s.command)
		if s.note != "" {
			b.WriteString(s.note + "\n\n")
		}
		fmt.Fprintf(&b, "Type: `%s`.\n", typ.Name())
		types = reachable(types, typ)
	}
	types = reachable(types, reflect.TypeFor[api.DoctorModel]())
	types = reachable(types, reflect.TypeFor[api.Daemon]())
	b.WriteString("\n## Types\n")
	slices.SortFunc(types, func(x, y reflect.Type) int { return strings.Compare(x.Name(), y.Name()) })
	for _, typ := range types {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", typ.Name(), docs[typ.Name()])
		for f := range typ.Fields() {
			name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
			what := wire(f.Type)
			if omit != "" {
				what += ", may be missing"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, what, docs[typ.Name()+"."+f.Name])
		}
	}
	b.WriteString("\n## Values\n\n")
	values := func(name string, vs ...string) { fmt.Fprintf(&b, "- %s: `%s`\n", name, strings.Join(vs, "`, `")) }
	values("agent", names(recap.Agents())...)
	values("state", names([]recap.State{recap.StateBusy, recap.StateWaiting, recap.StateIdle, recap.StateInterrupted, recap.StateFailed, recap.StateUnknown})...)
	values("source", string(recap.Extractive), string(recap.FromModel))
	values("status", constants(t, "../../record.go", "Status")...)
	values("kind of a receipt", constants(t, "../../record.go", "ReceiptKind")...)
	values("code", constants(t, "../../errors.go", "Code")...)
	b.WriteString(`
## Other commands

| command | object |
|---|---|
| ` + "`recap resume SESSION`" + ` | ` + "`{\"directory\", \"command\": [word, ...]}`" + `; runs nothing |
| ` + "`recap prompt`" + ` | ` + "`{\"record\": Record or null}`" + ` |
| ` + "`recap mute`" + ` | ` + "`{\"session\" or \"project\", \"muted\": bool}`, with `--list` `{\"muted\": [name, ...]}`" + ` |
| ` + "`recap forget`" + ` | ` + "`{\"forgotten\": number}`" + ` |
| ` + "`recap doctor`" + ` | ` + "`{\"agents\": [{\"agent\", \"name\", \"found\", \"home\", \"sessions\", \"origin\", \"problem\", \"skipped\"}], \"models\": [DoctorModel, ...], \"settings\": [{\"key\", \"value\", \"origin\"}], \"problems\": [text], \"daemon\": Daemon, \"store\", \"log\", \"config\", \"proxy\"}`" + ` |
| ` + "`recap config`" + ` | ` + "`{\"path\", \"settings\": [{\"key\", \"value\", \"origin\"}]}`, `config get` one of them, `config set` `{\"key\", \"path\"}`, `config path` `{\"path\"}`" + ` |
| ` + "`recap version`" + ` | ` + "`{\"version\", \"commit\", \"date\", \"modified\", \"go\", \"platform\"}`" + ` |
`)
	page(t, "cli-json.md", b.String())
}

func names[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = string(x)
	}
	return out
}

// reachable adds a type and the structs in its fields.
func reachable(types []reflect.Type, typ reflect.Type) []reflect.Type {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() || slices.Contains(types, typ) {
		return types
	}
	types = append(types, typ)
	for f := range typ.Fields() {
		types = reachable(types, f.Type)
	}
	return types
}

// wire names a type as it is on the wire.
func wire(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Pointer:
		return wire(typ.Elem()) + " or null"
	case reflect.Slice:
		return "list of " + wire(typ.Elem())
	case reflect.Map:
		return "object: " + wire(typ.Key()) + " to " + wire(typ.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Interface:
		return "any"
	}
	if typ == reflect.TypeFor[time.Time]() {
		return "time"
	}
	return "[" + typ.Name() + "](#" + strings.ToLower(typ.Name()) + ")"
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// comments gives what the code says of types and of their fields.
func comments(t *testing.T, files ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	text := func(groups ...*ast.CommentGroup) string {
		for _, g := range groups {
			if s := strings.Join(strings.Fields(g.Text()), " "); s != "" {
				return s
			}
		}
		return ""
	}
	for _, file := range files {
		for _, decl := range parse(t, file).Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok || out[ts.Name.Name] != "" {
					continue
				}
				out[ts.Name.Name] = text(gen.Doc)
				if st, ok := ts.Type.(*ast.StructType); ok {
					for _, f := range st.Fields.List {
						for _, n := range f.Names {
							out[ts.Name.Name+"."+n.Name] = text(f.Doc, f.Comment)
						}
					}
				}
			}
		}
	}
	return out
}

// constants gives the values of a type's constants, in their order.
func constants(t *testing.T, file, typ string) []string {
	t.Helper()
	var out []string
	for _, decl := range parse(t, file).Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			vs, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			if id, ok := vs.Type.(*ast.Ident); ok && id.Name == typ && len(vs.Values) == 1 {
				if lit, ok := vs.Values[0].(*ast.BasicLit); ok {
					out = append(out, strings.Trim(lit.Value, `"`))
				}
			}
		}
	}
	if len(out) < 5 {
		t.Fatalf("%s: only %d constants of %s", file, len(out), typ)
	}
	return out
}
