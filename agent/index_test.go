package agent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	recap "github.com/sessionrecap/recap"
)

func TestEntryKeepsEveryField(t *testing.T) {
	var e Entry
	n := 0
	var set func(v reflect.Value)
	set = func(v reflect.Value) {
		n++
		switch v.Kind() {
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() {
				v.Set(reflect.ValueOf(time.Unix(int64(n), int64(n)).UTC()))
				return
			}
			for _, field := range v.Fields() {
				set(field)
			}
		case reflect.String:
			v.SetString(fmt.Sprint("text ", n))
		case reflect.Int:
			v.SetInt(int64(n))
		case reflect.Int64:
			v.SetInt(int64(-n))
		case reflect.Uint64:
			v.SetUint(uint64(n) << 40)
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			for i := range v.Len() {
				set(v.Index(i))
			}
		default:
			t.Fatalf("a field of kind %v: teach the index and this test", v.Kind())
		}
	}
	set(reflect.ValueOf(&e).Elem())
	path := filepath.Join(t.TempDir(), "index")
	x := OpenIndex(path)
	x.Remember("/home/dev/a.jsonl", e)
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	got, ok := OpenIndex(path).Lookup("/home/dev/a.jsonl")
	if !ok || !reflect.DeepEqual(got, e) {
		t.Errorf("Lookup = %+v, %t\nwant %+v", got, ok, e)
	}
}

// fromBytes is the index in a file's bytes.
func fromBytes(b []byte) (*FileIndex, bool) {
	body, count, ok := readBody(bytes.NewReader(b), int64(len(b)))
	x := &FileIndex{entries: parseIndex(body, count)}
	return x, ok && x.entries != nil
}

func TestIndexRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }))
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "zero") {
			return time.Time{}
		}
		return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")).UTC()
	})
	entry := rapid.Custom(func(t *rapid.T) Entry {
		e := Entry{
			Size: rapid.Int64().Draw(t, "size"), ModTime: rapid.Int64().Draw(t, "modtime"),
			Change: rapid.Uint64().Draw(t, "change"), Head: rapid.Uint64().Draw(t, "head"), Tail: rapid.Uint64().Draw(t, "tail"),
			Skip: text.Draw(t, "skip"), Facts: rapid.SliceOf(text).Draw(t, "facts"), Broken: rapid.IntRange(0, 1<<31-1).Draw(t, "broken"),
		}
		if len(e.Facts) == 0 {
			e.Facts = nil
		}
		s := &e.Session
		for i, p := range sessionTexts(s) {
			*p = text.Draw(t, fmt.Sprint("text", i))
		}
		s.Ref.Agent, s.State = recap.Agent(text.Draw(t, "agent")), recap.State(text.Draw(t, "state"))
		s.CreatedAt, s.UpdatedAt = instant.Draw(t, "created"), instant.Draw(t, "updated")
		s.Archived, s.Reverted = rapid.Bool().Draw(t, "archived"), rapid.Bool().Draw(t, "reverted")
		return e
	})
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(text, entry, 0, 8).Draw(t, "entries")
		x := OpenIndex("")
		for p, e := range want {
			x.Remember(p, e)
		}
		y, ok := fromBytes(x.encode())
		if !ok {
			t.Fatal("the file is broken")
		}
		if len(y.entries) != len(want) {
			t.Fatalf("%d entries, want %d", len(y.entries), len(want))
		}
		for p, e := range want {
			if got, ok := y.Lookup(p); !ok || !reflect.DeepEqual(got, e) {
				t.Fatalf("Lookup(%q) = %+v, %t\nwant %+v", p, got, ok, e)
			}
		}
	})
}

func sample(i int) (string, Entry) {
	id := fmt.Sprintf("0198c4b2-7a1e-7c3d-9f00-%012d", i)
	path := "/home/dev/.claude/projects/-home-dev-project-" + strconv.Itoa(i%40) + "/" + id + ".jsonl"
	at := time.Unix(1_772_000_000+int64(i), 123_000_000).UTC()
	return path, Entry{
		Size: int64(100_000 + i), ModTime: at.UnixNano(), Change: uint64(at.UnixNano()), Head: 0x9e3779b97f4a7c15, Tail: 0xc2b2ae3d27d4eb4f,
		Session: recap.Session{
			Ref:  recap.SessionRef{Agent: recap.Claude, Root: "/home/dev/.claude", ID: id},
			Home: "claude", Title: "Make the parser accept a trailing comma in lists and report where it stands",
			Directory: "/home/dev/project/cmd/tool", Branch: "fix/trailing-comma", CreatedAt: at, UpdatedAt: at.Add(time.Hour),
			State: recap.StateIdle, Model: recap.ModelRef{Provider: "anthropic", ID: "claude-model"}, Stamp: "100000:1772000000123000000:42",
		},
		Facts: []string{"leaf " + id},
	}
}

func saved(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recap", "index")
	x := OpenIndex(path)
	for i := range n {
		x.Remember(sample(i))
	}
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestIndexSavesOnlyChanges(t *testing.T) {
	path := saved(t, 3)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	steps := []struct {
		name    string
		do      func(*FileIndex)
		written bool
		left    int
	}{
		{"nothing", func(*FileIndex) {}, false, 3},
		{"lookups", func(x *FileIndex) { x.Lookup("nope"); p, _ := sample(0); x.Lookup(p) }, false, 3},
		{"the same again", func(x *FileIndex) { x.Remember(sample(1)) }, false, 3},
		{"prune, all used", func(x *FileIndex) {
			for i := range 3 {
				p, _ := sample(i)
				x.Lookup(p)
			}
			x.Prune()
		}, false, 3},
		{"another value", func(x *FileIndex) { p, e := sample(1); e.Size++; x.Remember(p, e) }, true, 3},
		{"one more", func(x *FileIndex) { x.Remember(sample(3)) }, true, 4},
		{"unused without prune", func(x *FileIndex) { x.Remember(sample(4)) }, true, 5},
		{"unused with prune", func(x *FileIndex) {
			p, _ := sample(0)
			x.Lookup(p)
			x.Remember(sample(1))
			x.Prune()
		}, true, 2},
		{"forget none", func(x *FileIndex) { x.Forget(func(recap.Session) bool { return false }) }, false, 2},
		{"forget one", func(x *FileIndex) {
			_, e := sample(1)
			if n := x.Forget(func(s recap.Session) bool { return s.Ref == e.Session.Ref }); n != 1 {
				t.Errorf("Forget = %d", n)
			}
		}, true, 1},
		{"prune without a listing", func(x *FileIndex) { x.Prune() }, true, 0},
	}
	for _, st := range steps {
		if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		x := OpenIndex(path)
		st.do(x)
		if err := errors.Join(x.Save(), x.Save()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if written := !info.ModTime().Equal(time.Unix(1, 0)); written != st.written {
			t.Errorf("%s: written %t, want %t", st.name, written, st.written)
		}
		if n := len(OpenIndex(path).entries); n != st.left {
			t.Errorf("%s: %d entries left, want %d", st.name, n, st.left)
		}
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != 1 {
		t.Errorf("files beside the index: %v, %v", names, err)
	}
}

func TestBrokenIndexIsEmpty(t *testing.T) {
	whole, err := os.ReadFile(saved(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	edit := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(whole)) }
	files := map[string][]byte{
		"empty":         {},
		"no index":      []byte("hello"),
		"long text":     bytes.Repeat([]byte("hello\n"), 1000),
		"head only":     whole[:indexHead],
		"half":          whole[:len(whole)/2],
		"one byte less": whole[:len(whole)-1],
		"one byte more": append(bytes.Clone(whole), 0),
		"other magic":   edit(func(b []byte) []byte { b[0]++; return b }),
		"older version": edit(func(b []byte) []byte { b[8] = 0; return b }),
		"newer version": edit(func(b []byte) []byte { b[8]++; return b }),
		"other count":   edit(func(b []byte) []byte { b[12]++; return b }),
		"huge count":    edit(func(b []byte) []byte { b[15] = 0xff; return b }),
		"huge length":   edit(func(b []byte) []byte { b[23] = 0x7f; return b }),
	}
	for i := indexHead; i < len(whole); i += 97 {
		files[fmt.Sprint("bit at ", i)] = edit(func(b []byte) []byte { b[i] ^= 4; return b })
	}
	for name, b := range files {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			x := OpenIndex(path)
			if len(x.entries) != 0 {
				t.Fatalf("%d entries", len(x.entries))
			}
			x.Remember(sample(1))
			if err := x.Save(); err != nil {
				t.Fatal(err)
			}
			if n := len(OpenIndex(path).entries); n != 1 {
				t.Errorf("%d entries after the first save", n)
			}
		})
	}
	t.Run("folder", func(t *testing.T) {
		x := OpenIndex(t.TempDir())
		x.Remember(sample(1))
		if err := x.Save(); err == nil {
			t.Error("saved over a folder")
		}
	})
	t.Run("folder is a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		x := OpenIndex(filepath.Join(file, "index"))
		x.Remember(sample(1))
		if _, ok := x.Lookup("nope"); ok || x.Save() == nil {
			t.Error("no error")
		}
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			t.Error("the file is gone")
		}
	})
}

func TestIndexKeepsNothingOfTheCaller(t *testing.T) {
	x := OpenIndex(filepath.Join(t.TempDir(), "index"))
	p, e := sample(1)
	x.Remember(p, e)
	e.Facts[0] = "changed"
	got, _ := x.Lookup(p)
	got.Facts[0] = "changed too"
	again, ok := x.Lookup(p)
	if _, want := sample(1); !ok || !reflect.DeepEqual(again, want) {
		t.Errorf("Lookup = %+v", again)
	}
}

func TestIndexConcurrently(t *testing.T) {
	path := saved(t, 200)
	x := OpenIndex(path)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				p, e := sample(i)
				if got, ok := x.Lookup(p); !ok || got.Session.Ref != e.Session.Ref {
					t.Errorf("Lookup(%s) = %t", p, ok)
				}
				e.Size += int64(w)
				x.Remember(p, e)
			}
			x.Prune()
			if err := x.Save(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(OpenIndex(path).entries); n != 200 {
		t.Errorf("%d entries", n)
	}
}

func TestIndexLoadsWithFewAllocations(t *testing.T) {
	small, big := saved(t, 100), saved(t, 10_000)
	count := func(path string) float64 { return testing.AllocsPerRun(3, func() { OpenIndex(path) }) }
	// A map of many entries is several pieces; an entry is none.
	if a, b := count(small), count(big); b > 1000 {
		t.Errorf("%v allocations for 100 entries, %v for 10,000", a, b)
	}
	x := OpenIndex(big)
	p, _ := sample(1)
	if a := testing.AllocsPerRun(100, func() { x.Lookup(p) }); a > 1 {
		t.Errorf("%v allocations a lookup, want 1 (the facts)", a)
	}
}

func FuzzIndexEntry(f *testing.F) {
	p, e := sample(1)
	f.Add(encodeEntry(p, e))
	f.Add(encodeEntry("", Entry{}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		path, e, err := decodeEntry(string(b))
		if err != nil {
			return
		}
		// What was read can be written and is the same when read again.
		path2, e2, err := decodeEntry(string(encodeEntry(path, e)))
		if err != nil || path2 != path || !reflect.DeepEqual(e2, e) {
			t.Errorf("%q %+v\nagain: %q %+v, %v", path, e, path2, e2, err)
		}
	})
}

func FuzzIndexFile(f *testing.F) {
	for _, n := range []int{1, 3} {
		b, err := os.ReadFile(saved(f, n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(indexMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= indexHead {
			// So that more than the sum is tried.
			copy(b, indexMagic)
			binary.LittleEndian.PutUint32(b[8:], indexVersion)
			binary.LittleEndian.PutUint64(b[16:], uint64(len(b)-indexHead))
			binary.LittleEndian.PutUint32(b[24:], crc32.Checksum(b[indexHead:], crc32.MakeTable(crc32.Castagnoli)))
		}
		x, ok := fromBytes(b)
		if !ok {
			return
		}
		for p := range x.entries {
			x.Lookup(p)
			x.Lookup(strings.ToUpper(p))
		}
		n := len(x.entries)
		x.Remember(sample(1))
		y, ok := fromBytes(x.encode())
		if !ok || len(y.entries) < n || len(y.entries) > n+1 {
			t.Errorf("%d entries and one more became %d", n, len(y.entries))
		}
		if left := y.Forget(func(recap.Session) bool { return true }); left != len(x.entries) || len(y.entries) != 0 {
			t.Errorf("forgot %d of %d", left, len(x.entries))
		}
	})
}

func BenchmarkOpenIndex(b *testing.B) {
	path := saved(b, 10_000)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		OpenIndex(path)
	}
}

func BenchmarkLookupAll(b *testing.B) {
	x := OpenIndex(saved(b, 10_000))
	paths := make([]string, 10_000)
	for i := range paths {
		paths[i], _ = sample(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range paths {
			x.Lookup(p)
		}
	}
}

func BenchmarkSave(b *testing.B) {
	x := OpenIndex(saved(b, 10_000))
	b.ReportAllocs()
	for b.Loop() {
		x.changed = true
		if err := x.Save(); err != nil {
			b.Fatal(err)
		}
	}
}
