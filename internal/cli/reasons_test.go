package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store"
)

// sourceFiles parses the files of a package of this repository, its tests apart.
func sourceFiles(t *testing.T, dir string) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// constants gives the texts of the constants of a package whose name has one of
// the beginnings.
func constants(t *testing.T, dir string, beginnings ...string) []string {
	t.Helper()
	var out []string
	for _, f := range sourceFiles(t, dir) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, name := range v.Names {
					if i < len(v.Values) && slices.ContainsFunc(beginnings, func(b string) bool {
						rest, ok := strings.CutPrefix(name.Name, b)
						return ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
					}) {
						out = append(out, text(v.Values[i])...)
					}
				}
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no constant %q: is it called otherwise now?", dir, beginnings)
	}
	return out
}

// text is a literal text, nothing of another expression.
func text(x ast.Expr) []string {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	return []string{s}
}

// inWords tells whether a text is for people: more than one word, and not the
// machine's.
func inWords(t *testing.T, code, says string) {
	t.Helper()
	if says == code || says == strings.ReplaceAll(code, "-", " ") || says == strings.ReplaceAll(code, "_", " ") || !strings.Contains(says, " ") ||
		strings.ContainsAny(code, "-_") && strings.Contains(says, code) {
		t.Errorf("%q has no words: %q", code, says)
	}
}

// A new code, end, state or gate without words and a next step fails here.
func TestEveryReasonHasWordsAndANextStep(t *testing.T) {
	t.Parallel()
	whole := func(t *testing.T, code string, about plain) {
		t.Helper()
		inWords(t, code, about.says)
		if !strings.Contains(about.next, " ") {
			t.Errorf("%q names no next step: %+v", code, about)
		}
	}
	t.Run("codes", func(t *testing.T) {
		t.Parallel()
		codes := constants(t, ".", "Code")
		if len(codes) < 29 {
			t.Errorf("only %d codes", len(codes))
		}
		other := aboutCode("no-code-at-all", "S")
		for _, c := range codes {
			about := aboutCode(recap.Code(c), "S")
			whole(t, c, about)
			if about.next == other.next {
				t.Errorf("%q is not among the codes", c)
			}
			whole(t, c, plain{aboutGate(store.Gate{Name: "transcript", Value: c}, "S").says, nextOf(&recap.Error{Code: recap.Code(c), Message: "x"}, "S")})
		}
	})
	t.Run("ends", func(t *testing.T) {
		t.Parallel()
		other := aboutEnd("no-end-at-all", "S")
		for _, end := range constants(t, "dialog", "End", "NoRequest") {
			about := aboutEnd(end, "S")
			whole(t, end, about)
			if about.says == strings.ReplaceAll(end, "-", " ") || about.says == other.says {
				t.Errorf("%q is not among the ends", end)
			}
			for _, gate := range []string{"newest record", "model recap possible"} {
				whole(t, end, aboutGate(store.Gate{Name: gate, Value: end}, "S"))
			}
			err := toldEnd(&recap.Error{Code: recap.CodeNotEnough, Message: "there is no complete answer to recap (" + end + ")"}, "S")
			whole(t, end, plain{err.Error(), recap.HintOf(err)})
		}
	})
	t.Run("states", func(t *testing.T) {
		t.Parallel()
		seen := map[string]string{}
		for _, state := range constants(t, ".", "State") {
			about := aboutGate(store.Gate{Name: "state", Value: state}, "S")
			whole(t, state, about)
			if was := seen[about.says]; was != "" {
				t.Errorf("%q says what %q says", state, was)
			}
			seen[about.says] = state
		}
	})
	t.Run("gates", func(t *testing.T) {
		t.Parallel()
		names := gates(t)
		if len(names) < 15 {
			t.Errorf("only %q", names)
		}
		for _, name := range names {
			if name == "field " {
				name += "recap"
			}
			about := aboutGate(store.Gate{Name: name, Value: "unreadable"}, "S")
			if about.next == "" || about.next == aboutGate(store.Gate{Name: "no gate at all"}, "S").next || strings.HasPrefix(about.says, name+": ") {
				t.Errorf("%q is not among the gates: %+v", name, about)
			}
		}
	})
	t.Run("actions", func(t *testing.T) {
		t.Parallel()
		for _, action := range constants(t, "engine", "action") {
			if says := aboutAction(action); says == strings.ReplaceAll(action, "-", " ") || !strings.Contains(says, " ") {
				t.Errorf("%q: %q", action, says)
			}
		}
	})
	t.Run("guards", func(t *testing.T) {
		t.Parallel()
		all := append(drops(t), constants(t, "reply", "Why", "Decides")...)
		if len(all) < 50 {
			t.Errorf("only %d: %q", len(all), all)
		}
		for _, why := range all {
			says := aboutDrop(why)
			if kind, what, ok := strings.Cut(why, ":"); ok {
				inWords(t, kind, says)
				if strings.Contains(what, "-") && strings.Contains(says, what) {
					t.Errorf("%q: %q", why, says)
				}
				continue
			}
			if says == strings.ReplaceAll(why, "-", " ") || !strings.Contains(says, " ") {
				t.Errorf("%q has no words", why)
			}
			whole(t, why, aboutGate(store.Gate{Name: "field recap", Value: why}, "S"))
		}
	})
}

// gates gives the names of the gates of the engine.
func gates(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, f := range sourceFiles(t, "engine") {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			if fn, ok := call.Fun.(*ast.Ident); !ok || fn.Name != "gate" && fn.Name != "add" {
				return true
			}
			name := call.Args[0]
			if sum, ok := name.(*ast.BinaryExpr); ok {
				name = sum.X
			}
			for _, s := range text(name) {
				if !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}

// drops gives the reasons of the guards of package evidence: its constants, and
// what stands as a text where one is made.
func drops(t *testing.T) []string {
	t.Helper()
	out := constants(t, "evidence", "why")
	note := func(x ast.Expr) {
		for _, s := range text(x) {
			if s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	for _, f := range sourceFiles(t, "evidence") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if of, ok := n.Type.(*ast.Ident); ok && (of.Name == "Drop" || of.Name == "find") && len(n.Elts) == 2 {
					note(n.Elts[1])
				}
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok && fn.Name == "mark" && len(n.Args) == 2 {
					note(n.Args[1])
				}
			case *ast.AssignStmt:
				if x, ok := n.Lhs[0].(*ast.SelectorExpr); ok && x.Sel.Name == "why" {
					note(n.Rhs[0])
				}
			case *ast.FuncDecl:
				if n.Name.Name == "word" && n.Recv != nil {
					ast.Inspect(n.Body, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
							for _, s := range text(r.Results[0]) {
								out = append(out, "overclaims:"+s)
							}
						}
						return true
					})
				}
			}
			return true
		})
	}
	return out
}

// What a refusal of a model call says is words, whoever wrote it.
func TestRefusalsAreInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		code   recap.Code
		reason string
		want   string
	}{
		{"a code alone", recap.CodeTimeout, "timeout", "the model took too long"},
		{"with the provider", recap.CodeRateLimited, "local: rate-limited", "the provider's limit is reached (local)"},
		{"and what it wrote", recap.CodeRateLimited, "local: rate-limited: slow down", "the provider's limit is reached (local: slow down)"},
		{"without the provider", recap.CodeNoModel, "no-permitted-model: it is barred", "no model may be asked about this session (it is barred)"},
		{
			"the guards", recap.CodeGuarded, "local: guarded: recap: no-quotation; away: overclaims:passed",
			"the model's reply did not pass the checks (local: recap: the model did not do as it was asked, so only word for word quotations count, and it is none; " +
				"away: it says more than is proven (passed))",
		},
		{"a cap", recap.CodeBudget, "budget.daily_tokens: 0 used, 9 more wanted, limit 1", "the budget is used up (budget.daily_tokens: 0 used, 9 more wanted, limit 1)"},
		{"how it ends", recap.CodeNotEnough, "there is no complete answer to recap (cut)", "there is no complete answer to recap: its newest answer was cut off"},
		{"words", recap.CodeBusy, "another recap of it is being made", "another recap of it is being made"},
		{"words with a colon", recap.CodeCanceled, "stopped: context canceled", "stopped: context canceled"},
	} {
		if got := plainReason(tt.code, tt.reason); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	err := told(&llm.Error{Code: recap.CodeGuarded, Provider: "local", Status: 200, Detail: "recap: says-nothing; suggestion: merges"}, "S")
	if got := err.Error(); strings.Contains(got, "says-nothing") || !strings.Contains(got, "recap: it says nothing of the session; suggestion: it merges, which is for you to decide") {
		t.Errorf("%s", got)
	}
	if detail := "the server says: a; b"; plainDetail(detail) != detail {
		t.Errorf("%q", plainDetail(detail))
	}
}
