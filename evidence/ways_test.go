package evidence

import "testing"

// TestH3_TheWayItWent: a text does not turn round from what to what something
// went, nor give to the old what is the new one's.
func TestH3_TheWayItWent(t *testing.T) {
	hash := story{Ask: "der Login schlägt fehl, wenn das Passwort ein ß enthält", Answer: "Das Passwort wurde vor dem Hashen als Latin-1 statt UTF-8 kodiert; in auth/hash.py ist das jetzt umgestellt. Die 29 Tests laufen durch.", Tools: []string{"edit auth/hash.py", "run pytest => 0 29 passed"}}
	loop := story{Ask: "the invoice PDF drops the last line item", Answer: "The loop in `render.ts` used `floor2` instead of `ceil2`. I changed that; nothing is committed yet.", Tools: []string{"edit src/invoice/render.ts"}}
	open := story{Ask: "the invoice PDF drops the last line item", Answer: "The test in `render.ts` gets `floor2` instead of `ceil2`. I have not fixed that yet.", Tools: []string{"edit src/invoice/render.ts"}}
	sdk := story{Ask: "给短信模块升级 SDK 到 4.x", Answer: "SDK 已从 3.8 升到 4.1，发送接口也改好了。", Tools: []string{"edit requirements.txt"}}
	letter := story{Ask: "祖母への手紙を英語から日本語に訳して", Answer: "letter_ja.txt に訳しました。冒頭に季節の挨拶を一文だけ足しています。", Tools: []string{"edit letter_ja.txt"}}
	en := story{Ask: "translate the letter from English to Japanese", Answer: "I translated the letter and added a greeting of the season at the start.", Tools: []string{"edit letter_ja.txt"}}
	parser := story{Ask: "try the new parser on the big fixtures", Answer: "The new parser is slower, but on the big fixtures peak memory falls from 840 MB to 310 MB.", Tools: []string{"run python bench.py => 0 ok"}}
	vetAll(t, []vetTest{
		{"what was wrong and is fixed", hash, "Die Kodierung vor dem Hashen wurde von UTF-8 auf Latin-1 umgestellt.", false},
		{"the right way round", hash, "Das Passwort wird vor dem Hashen jetzt als UTF-8 statt Latin-1 kodiert.", true},
		{"as it was", hash, "Das Passwort wurde vor dem Hashen als Latin-1 statt UTF-8 kodiert; das ist jetzt umgestellt.", true},
		{"in code", loop, "The loop in render.ts went from `ceil2` to `floor2`; nothing is committed.", false},
		{"in code, true", loop, "The loop in render.ts now uses `ceil2` instead of `floor2`; nothing is committed.", true},
		{"not fixed yet", open, "The test in render.ts still gets `ceil2` instead of `floor2`.", false},
		{"versions", sdk, "短信模块的 SDK 从 4.1 降回 3.8。", false},
		{"versions, true", sdk, "短信模块的 SDK 从 3.8 升到 4.1。", true},
		{"languages", letter, "手紙は日本語から英語に訳され、冒頭に季節の挨拶が足されています。", false},
		{"languages, true", letter, "手紙は英語から日本語に訳され、冒頭に季節の挨拶が足されています。", true},
		{"in English", en, "The letter was translated from Japanese to English, with a greeting of the season at the start.", false},
		{"in English, true", en, "The letter was translated from English to Japanese, with a greeting of the season at the start.", true},
		{"old and new", parser, "With the old parser peak memory on the big fixtures is 310 MB.", false},
		{"old and new, true", parser, "With the new parser peak memory on the big fixtures is 310 MB.", true},
	})
}

// TestH3_WhatWasOnlyReadIsNotRewritten: where nothing was changed, nothing was
// written anew.
func TestH3_WhatWasOnlyReadIsNotRewritten(t *testing.T) {
	vetAll(t, []vetTest{
		{"French", story{Ask: "tu peux relire ma lettre de motivation ?", Answer: "La lettre de motivation est claire, mais la conclusion est trop longue.", Tools: []string{"read lettre.md"}}, "La lettre de motivation a été réécrite, avec sa conclusion.", false},
		{"English", story{Ask: "can you proofread my cover letter?", Answer: "The cover letter is clear, but its conclusion is too long.", Tools: []string{"read letter.md"}}, "The cover letter was rewritten with its conclusion.", false},
		{"German", story{Ask: "kannst du mein Anschreiben gegenlesen?", Answer: "Das Anschreiben ist klar, nur der Schluss ist zu lang.", Tools: []string{"read brief.md"}}, "Das Anschreiben wurde mitsamt dem Schluss überarbeitet.", false},
		{"Chinese", story{Ask: "帮我看看求职信有什么问题", Answer: "求职信写得清楚，但结尾太长。", Tools: []string{"read 求职信.md"}}, "求职信的结尾已经被改写了，写得更清楚。", false},
	})
}
