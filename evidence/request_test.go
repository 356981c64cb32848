package evidence

import "testing"

func TestRequestText(t *testing.T) {
	var sp scratchpad
	for _, tt := range []struct{ in, want string }{
		{"Hey! Could you please take a look at the failing login test and fix it?", "take a look at the failing login test and fix it?"},
		{"ok great, now do the same for the orders page", "do the same for the orders page"},
		{"I think the problem is in auth.ts. Look at line 40.", "I think the problem is in auth.ts. Look at line 40."},
		{"Thanks! One more thing: the header is not sticky on mobile.", "One more thing: the header is not sticky on mobile."},
		{"no, revert that. use a map instead", "no, revert that. use a map instead"},
		{"# Task\n\nImplement the cache.\n\n## Requirements\n- LRU\n- thread safe\n", "Implement the cache."},
		{"The following tests fail:\n- TestA\n- TestB\n\nPlease fix them.", "The following tests fail: TestA; TestB"},
		{"1. rename foo\n2. add bar\n3. commit", "rename foo; add bar; commit"},
		{"@src/api.go add a limit of 10", "add a limit of 10"},
		{"explain @src/api.go", "explain src/api.go"},
		{"compare @a.go with @b.go please", "compare a.go with b.go please"},
		{"> quoted line\n\nwhy is this so?", "why is this so?"},
		{"```\ncode\n```", "code"},
		{"帮我把登录页的按钮改成蓝色，谢谢", "把登录页的按钮改成蓝色，谢谢"},
		{"あと、ログアウトボタンも追加してください。", "ログアウトボタンも追加してください。"},
		{"can you explain?", "can you explain?"},
		{"", ""},
	} {
		turn := turnOf()[0]
		turn.Text, turn.Authored = tt.in, tt.in
		if got := requestText(&turn, &sp); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
