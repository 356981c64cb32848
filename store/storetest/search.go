package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

func search(t *testing.T, s store.Store) {
	texts := map[string]string{
		"latin":    "Fixed the Tokenizer in parse.go",
		"accents":  "Corrigé l'écran d'été",
		"cyrillic": "Починил Разбор строк",
		"greek":    "Διόρθωσα τους ΔΡΟΜΟΥΣ",
		"chinese":  "修复了解析器的内存泄漏问题",
		"japanese": "パーサーのメモリリークを修正しました",
		"korean":   "파서의메모리누수를고쳤습니다",
		"thai":     "แก้ไขตัวแยกวิเคราะห์แล้ว",
		"arabic":   "أصلحت المحلل",
		"hindi":    "पार्सर ठीक किया",
		"emoji":    "shipped 👩‍👩‍👧 today",
		"signs":    `100% of a_b and "quoted" it's x*y (NEAR) c:\dir col:val -not ^top {a} + b; DROP TABLE record`,
		"operator": "cats AND dogs OR birds NOT fish",
		"short":    "x é 的 go",
		"long":     "thequickbrownfoxjumpsoverthelazydog0123456789",
	}
	for id, text := range texts {
		r := small(id, text, 1)
		r.Project, r.Directory = "/", "/" // names of nothing
		put(t, s, r)
	}
	fields := small("fields", "in the recap", 1)
	fields.Title, fields.Request, fields.Away = "Zebratitle", "zebrarequest", "zebraaway"
	fields.Suggestion, fields.Digest = "zebrasuggestion", "zebradigest"
	fields.Branch, fields.ForMessageID = "zebrabranch", "zebramessage"
	fields.Project, fields.Directory = "/zebraabove/Zebraproject/", "/zebraabove/zebraproject/zebrafolder"
	put(t, s, fields)

	tests := []struct {
		name  string
		words []string
		want  []string
	}{
		{"whole word", []string{"Fixed"}, []string{"latin"}},
		{"part of a word", []string{"okeniz"}, []string{"latin"}},
		{"case", []string{"TOKENIZER"}, []string{"latin"}},
		{"every word", []string{"tokenizer", "parse.go"}, []string{"latin"}},
		{"one word missing", []string{"tokenizer", "absent"}, nil},
		{"accents, decomposed and in capitals", []string{"E\u0301TE\u0301"}, []string{"accents"}},
		{"short accents", []string{"É"}, []string{"accents", "short"}},
		{"cyrillic case", []string{"разБОР"}, []string{"cyrillic"}},
		{"short cyrillic case", []string{"ПО"}, []string{"cyrillic"}},
		{"greek final sigma", []string{"δρομους"}, []string{"greek"}},
		{"chinese inside", []string{"解析器"}, []string{"chinese"}},
		{"chinese two", []string{"内存"}, []string{"chinese"}},
		{"chinese one", []string{"的"}, []string{"chinese", "short"}},
		{"japanese inside", []string{"メモリ"}, []string{"japanese"}},
		{"japanese two", []string{"修正"}, []string{"japanese"}},
		{"korean inside", []string{"메모리누수"}, []string{"korean"}},
		{"korean one", []string{"누"}, []string{"korean"}},
		{"thai inside", []string{"วิเคราะห์"}, []string{"thai"}},
		{"thai two", []string{"แก"}, []string{"thai"}},
		{"arabic inside", []string{"محلل"}, []string{"arabic"}},
		{"hindi", []string{"पार्सर"}, []string{"hindi"}},
		{"emoji", []string{"👩‍👩‍👧"}, []string{"emoji"}},
		{"one letter", []string{"x"}, []string{"latin", "signs", "short", "long"}},
		{"short and long", []string{"go", "Token"}, []string{"latin"}},
		{"percent", []string{"100%"}, []string{"signs"}},
		{"percent alone", []string{"%"}, []string{"signs"}},
		{"percent is no wildcard", []string{"1%0"}, nil},
		{"underscore", []string{"a_b"}, []string{"signs"}},
		{"underscore alone", []string{"_"}, []string{"signs"}},
		{"underscore is no wildcard", []string{"q_ick"}, nil},
		{"double quote", []string{`"quoted"`}, []string{"signs"}},
		{"double quote alone", []string{`"`}, []string{"signs"}},
		{"apostrophe", []string{"it's"}, []string{"signs"}},
		{"apostrophe alone", []string{"'"}, []string{"accents", "signs"}},
		{"star", []string{"x*y"}, []string{"signs"}},
		{"star alone", []string{"*"}, []string{"signs"}},
		{"star is no wildcard", []string{"tok*"}, nil},
		{"parentheses", []string{"(NEAR)"}, []string{"signs"}},
		{"backslash", []string{`c:\dir`}, []string{"signs"}},
		{"backslash alone", []string{`\`}, []string{"signs"}},
		{"column filter", []string{"col:val"}, []string{"signs"}},
		{"minus", []string{"-not"}, []string{"signs"}},
		{"caret", []string{"^top"}, []string{"signs"}},
		{"braces", []string{"{a}"}, []string{"signs"}},
		{"statement", []string{"b; DROP TABLE record"}, []string{"signs"}},
		{"operators are words", []string{"AND", "NOT", "cats"}, []string{"operator"}},
		{"OR alone", []string{"OR"}, []string{"accents", "operator", "signs"}},
		{"NEAR with a number", []string{"NEAR(a b, 2)"}, nil},
		{"unclosed quote", []string{`"unclosed`}, nil},
		{"nul", []string{"a\x00b"}, nil},
		{"bad utf-8", []string{"\xff\xfe\xfd"}, nil},
		{"unknown", []string{"nowhere"}, nil},
		{"unknown chinese", []string{"数据库"}, nil},
		{"not over two fields", []string{"zebratitlezebra"}, nil},
		{"long word", []string{"QuickBrownFoxJumpsOverTheLazyDog012345678"}, []string{"long"}},
		{"too long", []string{"thequickbrownfoxjumpsoverthelazydog0123456789x"}, nil},
		{"no words", nil, nil},
		{"empty words", []string{"", " "}, nil},
		{"empty and a word", []string{"", "Fixed"}, []string{"latin"}},
		{"title", []string{"zebraTITLE"}, []string{"fields"}},
		{"request", []string{"zebrarequest"}, []string{"fields"}},
		{"away", []string{"zebraaway"}, []string{"fields"}},
		{"suggestion", []string{"zebrasuggestion"}, []string{"fields"}},
		{"digest", []string{"zebradigest"}, []string{"fields"}},
		{"project", []string{"zebraPROJECT"}, []string{"fields"}},
		{"directory", []string{"zebrafolder"}, []string{"fields"}},
		{"what is above is no text", []string{"zebraabove"}, nil},
		{"branch is no text", []string{"zebrabranch"}, nil},
		{"ids are no text", []string{"zebramessage"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := s.Search(t.Context(), tt.words, 0)
			if err != nil {
				t.Fatal(err)
			}
			found := ids(got)
			slices.Sort(found)
			want := slices.Sorted(slices.Values(tt.want))
			if !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}

	t.Run("thousands of words", func(t *testing.T) {
		words := []string{"fixed", "the"}
		for i := range 3000 {
			words = append(words, fmt.Sprint("word", i))
		}
		if got, err := s.Search(t.Context(), words, 0); err != nil || len(got) != 0 {
			t.Errorf("%q, %v", ids(got), err)
		}
	})
}

func searchLimit(t *testing.T, s store.Store) {
	for i := range 10 {
		put(t, s, small(strconv.Itoa(i), "common word", i))
	}
	for _, words := range [][]string{{"common"}, {"mo"}} {
		got, err := s.Search(t.Context(), words, 3)
		if err != nil {
			t.Fatal(err)
		}
		order(t, got, "9", "8", "7")
		got, err = s.Search(t.Context(), words, 0)
		if err != nil || len(got) != 10 {
			t.Errorf("no limit: %d, %v", len(got), err)
		}
	}
}

func searchFollows(t *testing.T, s store.Store) {
	find := func(word string, want int) {
		t.Helper()
		got, err := s.Search(t.Context(), []string{word}, 0)
		if err != nil || len(got) != want {
			t.Errorf("Search(%q): %d found, %v, want %d", word, len(got), err, want)
		}
	}
	put(t, s, small("s", "elephant", 1), small("other", "giraffe", 1))
	find("elephant", 1)
	put(t, s, small("s", "rhinoceros", 2))
	find("elephant", 0)
	find("el", 0)
	find("rhinoceros", 1)
	wrong := "fp-x"
	if err := s.Put(t.Context(), small("s", "buffalo", 3), store.Condition{Previous: &wrong}); !errors.Is(err, store.ErrStale) {
		t.Fatal(err)
	}
	find("buffalo", 0)
	find("rhinoceros", 1)
	session := ref("s")
	if _, err := s.Forget(t.Context(), store.Which{Session: &session}); err != nil {
		t.Fatal(err)
	}
	find("rhinoceros", 0)
	find("rh", 0)
	find("giraffe", 1)
}

// standsAlone: when the agent has deleted the transcript, the record alone
// shows the session: what it was, where, and when.
func standsAlone(t *testing.T, s store.Store) {
	put(t, s, full("gone"))
	all, err := s.Records(t.Context(), nil)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d records, %v", len(all), err)
	}
	r := all[0]
	if r.Title != "Parser" || r.Directory != "/home/dev/parser/cmd" || r.Project != "/home/dev/parser" ||
		r.Branch != "main" || r.Stamp != "stamp-1" || !r.UpdatedAt.Equal(at(1)) || r.Session != ref("gone") {
		t.Errorf("record = %+v", r)
	}
	found, err := s.Search(t.Context(), []string{"parser"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	order(t, found, "gone")
}

// fill gives a session everything a store can keep.
func fill(t *testing.T, s store.Store, r recap.Record) {
	t.Helper()
	put(t, s, r)
	must(t, s.Claim(t.Context(), store.Claim{Session: r.Session, Owner: "o", Fingerprint: "f"}, at(0), time.Hour))
	must(t, s.Decide(t.Context(), store.Decision{Session: r.Session, Action: "made-free"}))
	must(t, s.SetMark(t.Context(), store.MarkMuted, store.Scope(r.Session), "yes"))
}

// left says what a store keeps of a session.
func left(t *testing.T, s store.Store, r recap.Record, word string) (kept []string) {
	t.Helper()
	ctx := t.Context()
	if _, err := s.Record(ctx, r.Session); err == nil {
		kept = append(kept, "record")
	}
	other := store.Claim{Session: r.Session, Owner: "probe"}
	if err := s.Claim(ctx, other, at(0), time.Hour); errors.Is(err, store.ErrClaimed) {
		kept = append(kept, "claim")
	} else {
		must(t, s.Release(ctx, other))
	}
	if ds, err := s.Decisions(ctx, r.Session, 9); err != nil || len(ds) > 0 {
		kept = append(kept, "decisions")
	}
	if _, err := s.Mark(ctx, store.MarkMuted, store.Scope(r.Session)); err == nil {
		kept = append(kept, "mark")
	}
	for _, w := range []string{word, word[:2]} {
		found, err := s.Search(ctx, []string{w}, 0)
		must(t, err)
		if slices.Contains(ids(found), r.Session.ID) {
			kept = append(kept, "search "+w)
		}
	}
	return kept
}

func forget(t *testing.T, s store.Store, w store.Which, want int) {
	t.Helper()
	if n, err := s.Forget(t.Context(), w); err != nil || n != want {
		t.Errorf("Forget = %d, %v, want %d", n, err, want)
	}
}

func gone(t *testing.T, s store.Store, rs ...recap.Record) {
	t.Helper()
	for _, r := range rs {
		if k := left(t, s, r, "zebra"); len(k) != 0 {
			t.Errorf("of %s is left: %q", r.Session.ID, k)
		}
	}
}

func kept(t *testing.T, s store.Store, rs ...recap.Record) {
	t.Helper()
	for _, r := range rs {
		if k := left(t, s, r, "zebra"); len(k) != 6 {
			t.Errorf("of %s is left only: %q", r.Session.ID, k)
		}
	}
}

func forgetSession(t *testing.T, s store.Store) {
	a, b := small("a", "zebra one", 1), small("b", "zebra two", 2)
	fill(t, s, a)
	fill(t, s, b)
	forget(t, s, store.Which{Session: &a.Session}, 1)
	gone(t, s, a)
	kept(t, s, b)
	forget(t, s, store.Which{Session: &a.Session}, 0)
	// A session without a record counts where anything of it was kept.
	c := ref("c")
	must(t, s.Decide(t.Context(), store.Decision{Session: c, Action: "refused"}))
	forget(t, s, store.Which{Session: &c}, 1)
	must(t, s.SetMark(t.Context(), store.MarkMuted, store.Scope(c), "yes"))
	forget(t, s, store.Which{Session: &c}, 1)
	must(t, s.Claim(t.Context(), store.Claim{Session: c, Owner: "o"}, at(0), time.Hour))
	forget(t, s, store.Which{Session: &c}, 1)
	forget(t, s, store.Which{Session: &c}, 0)
}

func forgetProject(t *testing.T, s store.Store) {
	in, below, wt, sibling, other := small("in", "zebra", 1), small("below", "zebra", 2),
		small("wt", "zebra", 3), small("sibling", "zebra", 4), small("other", "zebra", 5)
	in.Project, in.Directory = "/home/dev/%_'a", "/home/dev/%_'a"
	below.Project, below.Directory = "", "/home/dev/%_'a/cmd"
	wt.Project, wt.Directory = "/home/dev/%_'a", "/home/dev/wt"
	sibling.Project, sibling.Directory = "/home/dev/%_'ab", "/home/dev/%_'ab"
	other.Project, other.Directory = "/home/dev", "/home/dev"
	for _, r := range []recap.Record{in, below, wt, sibling, other} {
		fill(t, s, r)
	}
	must(t, s.SetMark(t.Context(), store.MarkMuted, "/home/dev/%_'a", "yes"))
	forget(t, s, store.Which{Project: "/home/dev/%_'a/"}, 3)
	gone(t, s, in, below, wt)
	kept(t, s, sibling, other)
	// What a person said of the project is no copy of a session.
	if v, err := s.Mark(t.Context(), store.MarkMuted, "/home/dev/%_'a"); err != nil || v != "yes" {
		t.Errorf("the project's own mark: %q, %v", v, err)
	}
	forget(t, s, store.Which{Project: "/nowhere"}, 0)
}

func forgetBefore(t *testing.T, s store.Store) {
	old, edge, young := small("old", "zebra", 1), small("edge", "zebra", 10), small("young", "zebra", 11)
	for _, r := range []recap.Record{old, edge, young} {
		fill(t, s, r)
	}
	forget(t, s, store.Which{Before: at(10)}, 1)
	gone(t, s, old)
	kept(t, s, edge, young)
}

func forgetAll(t *testing.T, s store.Store) {
	var rs []recap.Record
	for i := range 20 {
		r := small(fmt.Sprint("s", i), "zebra", i)
		fill(t, s, r)
		rs = append(rs, r)
	}
	must(t, s.Decide(t.Context(), store.Decision{Session: ref("no record"), Action: "refused"}))
	must(t, s.SetMark(t.Context(), store.MarkLooked, "", "now"))
	must(t, s.SetMark(t.Context(), store.MarkMuted, "/home/dev/a", "yes"))
	forget(t, s, store.Which{All: true}, 21)
	gone(t, s, rs...)
	if all, err := s.Records(t.Context(), nil); err != nil || len(all) != 0 {
		t.Errorf("%d records left, %v", len(all), err)
	}
	if m, err := s.Marked(t.Context(), store.MarkMuted); err != nil || len(m) != 1 {
		t.Errorf("marks left: %q, %v; a muted project stays muted", m, err)
	}
	forget(t, s, store.Which{All: true}, 0)
	fill(t, s, rs[0])
	kept(t, s, rs[0])
}

func forgetWrong(t *testing.T, s store.Store) {
	r := small("s", "zebra", 1)
	fill(t, s, r)
	for name, w := range map[string]store.Which{
		"nothing set": {}, "two set": {All: true, Session: &r.Session}, "project and before": {Project: "/", Before: at(5)},
	} {
		if n, err := s.Forget(t.Context(), w); !errors.Is(err, store.ErrWhich) || n != 0 {
			t.Errorf("%s: %d, %v, want ErrWhich", name, n, err)
		}
	}
	kept(t, s, r)
}
