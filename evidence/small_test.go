package evidence

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// smallTalk is a session, and what two very small models made of it.
type smallTalk struct {
	Session string
	Turns   [][2]string
	Tools   []string
	Said    map[recap.Field][]string
}

func smallTalks(t testing.TB) []smallTalk {
	t.Helper()
	file, err := os.Open("testdata/guard/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out []smallTalk
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var s smallTalk
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *smallTalk) input(t testing.TB) Input {
	t.Helper()
	last := story{Tools: s.Tools, End: "complete"}
	in := last.input(t)
	tools := in.Turns[0].Tools
	in.Turns = nil
	for i, x := range s.Turns {
		turn := recap.Turn{UserID: "u" + string(rune('1'+i)), Text: x[0], Authored: x[0], AnswerID: "a" + string(rune('1'+i)), Answer: x[1], Complete: true}
		if i == len(s.Turns)-1 {
			turn.Tools = tools
		}
		in.Turns = append(in.Turns, turn)
	}
	in.Last = in.Turns[len(in.Turns)-1].AnswerID
	return in
}

// worth are the beginnings of what is shown, each text read against its session:
// true and worth it, or a known hole.
var worth = []string{
	"Rechazar pedidos mayores que el stock",
	"满减边界也改好了：正好 100 元的订单现在同样减 10 元，测试通过。退款测试还没有写",
	"The 500 was a regular expression for the email, so `+` was an operator,",
	"The 500 came from `Users.Find`: it built a regular expression from the email, so `+` was an operator,",
	"现在按单价乘以数量计算，测试全部通过",                                  // "最近只加单价" before it said recently for before
	"Починаем все часы, поэтому час создавалось как есть", // alone; the recap beside it had it too, so it was not shown
}

// TestSmallModels: of what very small models said, only what is true and says
// something is shown.
func TestSmallModels(t *testing.T) {
	n, shown := 0, 0
	for _, s := range smallTalks(t) {
		g := NewGuard(s.input(t))
		var asked []string
		for _, x := range s.Turns {
			asked = append(asked, x[0])
		}
		for field, texts := range s.Said {
			for _, text := range texts {
				if ok, _ := language.Agree(text, asked, ""); !ok {
					continue
				}
				n++
				kept, _, _ := g.Vet(field, text)
				if kept == "" {
					continue
				}
				shown++
				ok := false
				for _, w := range worth {
					ok = ok || strings.HasPrefix(strings.ToLower(kept), strings.ToLower(w))
				}
				if !ok {
					t.Errorf("%s, %s: %q is shown as %q", s.Session, field, text, kept)
				}
			}
		}
	}
	t.Logf("%d of %d texts of very small models are shown", shown, n)
}
