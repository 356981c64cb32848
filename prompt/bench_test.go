package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// talk is three turns with about n characters in all.
func talk(n int, sentence string) prompt.Input {
	var in prompt.Input
	times := n / 12 / len([]rune(sentence))
	for i := range 3 {
		asked := fmt.Sprintf("%d: %s", i, strings.Repeat(sentence, times))
		in.Turns = append(in.Turns, recap.Turn{Text: asked, Answer: strings.Repeat(sentence, 3*times), Complete: true})
		in.Sample = append(in.Sample, asked)
	}
	in.Fields = allFields
	in.Statuses = []recap.Status{recap.StatusTestsPassed, recap.StatusUncommitted}
	return in
}

func size(in prompt.Input) (bytes int) {
	for _, t := range in.Turns {
		bytes += len(t.Text) + len(t.Answer)
	}
	return bytes
}

const (
	asciiTalk   = "The parser's \"state\" is kept per file, so a < b && the cache stays warm. "
	chineseTalk = "解析器的“状态”按文件保存，所以缓存一直有效，测试已经通过。"
)

// Baselines: the time to copy the same text once.
func benchmarkBuild(b *testing.B, in prompt.Input) {
	bytes := size(in)
	b.Run("baseline-copy", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		for b.Loop() {
			var s strings.Builder
			for _, t := range in.Turns {
				s.WriteString(t.Text)
				s.WriteString(t.Answer)
			}
		}
	})
	b.Run("build", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := prompt.Build(in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBuild6000ASCII(b *testing.B)    { benchmarkBuild(b, talk(6_000, asciiTalk)) }
func BenchmarkBuild72000Chinese(b *testing.B) { benchmarkBuild(b, talk(72_000, chineseTalk)) }

// allocated is how many bytes a call allocates.
func allocated(f func()) int64 {
	return testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			f()
		}
	}).AllocedBytesPerOp()
}

func TestBuildAllocatesAtMostFourTimesTheText(t *testing.T) {
	for _, tt := range []struct {
		name     string
		n        int
		sentence string
	}{{"6000 ASCII", 6_000, asciiTalk}, {"72000 Chinese", 72_000, chineseTalk}} {
		t.Run(tt.name, func(t *testing.T) {
			in := talk(tt.n, tt.sentence)
			got := allocated(func() {
				if _, err := prompt.Build(in); err != nil {
					t.Fatal(err)
				}
			})
			if limit := int64(4 * size(in)); got > limit {
				t.Errorf("%d bytes for a text of %d, limit %d", got, size(in), limit)
			}
		})
	}
}
