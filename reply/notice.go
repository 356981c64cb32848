package reply

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
)

// A notice is told by its beginning, never by a word in its middle: a recap of
// a session about rate limits has the words too. Where a text that begins like
// a notice could be the beginning of something else, what follows must be the
// rest of a notice: nothing, or a hint of what to do. Whatever it begins with,
// a short text is one that tells the person to try again, to log in or to pay.

// noticeKind is one kind of notice with what finds it.
type noticeKind struct {
	code recap.Code
	// sure decides by itself, begins needs the rest of a notice behind it.
	sure, begins *starts
}

// wordsKind is a kind told by words anywhere in a text.
type wordsKind struct {
	code  recap.Code
	words *regexp.Regexp
}

type notices struct {
	kinds []noticeKind
	// rest is what may follow.
	rest *regexp.Regexp
	// prefix is what may stand before a notice.
	prefix *regexp.Regexp
	// words of an error object, by code.
	object []wordsKind
	// advice stands in a notice that is about one of the troubles; not what
	// is spoken, which stands in quotes.
	advice   *pattern
	spoken   *regexp.Regexp
	troubles []wordsKind
}

var table = sync.OnceValue(func() notices {
	var n notices
	for _, k := range [...]struct {
		code         recap.Code
		sure, begins []string
	}{
		{recap.CodeRateLimited, limitSure(), limitBegins()},
		{recap.CodeNoLogin, loginSure(), loginBegins()},
		{recap.CodeContextTooSmall, contextSure(), contextBegins()},
		{recap.CodeNoModel, nil, modelBegins()},
		{recap.CodeModelUnavailable, nil, unavailableBegins()},
		{recap.CodeTimeout, nil, timeoutBegins()},
		{recap.CodeProviderError, refusalSure(), errorBegins()},
	} {
		kind := noticeKind{code: k.code, begins: newStarts(k.begins)}
		if k.sure != nil {
			kind.sure = newStarts(k.sure)
		}
		n.kinds = append(n.kinds, kind)
	}
	n.prefix = regexp.MustCompile(`^(?:[\s⚠️❌🚫⛔✖×*_#>|•·:!\[\]("'-]+|(?:api |http |server |provider |fatal )?(?:error|fehler|erreur|ошибка|错误|エラー|오류)\s*[:：(-]*\s*|(?:http(?:/[\d.]+)?|status(?: code)?|code)?[\s:]*(?:4\d\d|5\d\d)\b[\s:{-]*|oops[,.!]*\s*)+`)
	n.rest = restOfNotice()
	n.advice, n.spoken = advice(), spoken()
	for _, o := range troubles() {
		n.troubles = append(n.troubles, wordsKind{code: o.code, words: regexp.MustCompile(o.words)})
	}
	for _, o := range objectWords() {
		n.object = append(n.object, wordsKind{code: o.code, words: regexp.MustCompile(o.words)})
	}
	return n
})

var noticeSigns = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "‘", "'", "`", "", "**", "", "\u00a0", " ")
})

// folding makes the forms of one text alike.
func folding(s string) string {
	s = noticeSigns().Replace(norm.NFC.String(s))
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// noticeOf says which notice or refusal a text is, nil where it is none.
func noticeOf(s string) *recap.Error {
	s = strings.TrimSpace(s)
	if page(s) {
		return classify(s, recap.CodeProviderError)
	}
	if strings.HasPrefix(s, "{") && errorObject(s) {
		return classify(s, recap.CodeProviderError)
	}
	if len(s) > 4000 {
		s = strings.ToValidUTF8(s[:4000], "")
	}
	low := folding(s)
	t := table()
	bare := low
	if m := t.prefix.FindString(low); m != "" {
		bare = low[len(m):]
		if bare == "" && strings.ContainsAny(m, "eо错エ오45") { // an error or a status alone
			return classify(low, recap.CodeProviderError)
		}
	}
	for i, text := range [...]string{low, bare} {
		if i > 0 && bare == low {
			break
		}
		for _, k := range t.kinds {
			if k.sure.matches(text) {
				return failure(k.code)
			}
			if m := k.begins.find(text); m != "" && t.ends(text[len(m):]) && !noun(m, text[len(m):]) {
				return failure(k.code)
			}
		}
	}
	return t.advised(low)
}

// advised says what a short text is that tells the person what to do about a
// trouble.
func (n *notices) advised(low string) *recap.Error {
	if len(low) > 600 || !n.advice.matches(low) {
		return nil
	}
	low = n.spoken.ReplaceAllString(low, " ")
	if !n.advice.matches(low) {
		return nil
	}
	for _, k := range n.troubles {
		if k.words.MatchString(low) {
			return failure(k.code)
		}
	}
	return nil
}

// ends reports whether what follows the beginning of a notice is its rest.
func (n *notices) ends(rest string) bool {
	rest = strings.TrimLeft(rest, " .,;:!?…·∙•⋅|-–—)(]\"'。，！：；、")
	return rest == "" || n.rest.MatchString(rest)
}

// noun reports a login that is spoken of with its status: "Login 500s for some
// addresses".
func noun(begins, rest string) bool {
	return len(begins) <= len("sign-in") && len(rest) > 1 && rest[0] == ' ' && rest[1] >= '0' && rest[1] <= '9'
}

// noticeIn says which notice a reply without any field is: the whole, or one
// of its first lines or sentences.
func noticeIn(s string) *recap.Error {
	s = unfence(s)
	if n := noticeOf(s); n != nil {
		return n
	}
	if len(s) > 4000 {
		s = strings.ToValidUTF8(s[:4000], "")
	}
	looked := 0
	for line := range strings.SplitSeq(s, "\n") {
		for sentence := range strings.SplitAfterSeq(line, ". ") {
			if sentence = strings.TrimSpace(sentence); sentence == "" {
				continue
			}
			if looked++; looked > 4 {
				return nil
			}
			if n := noticeOf(sentence); n != nil {
				return n
			}
		}
	}
	return nil
}

// page reports whether a text is a page of HTML or XML.
func page(s string) bool {
	s = strings.TrimLeft(s, "\ufeff \r\n\t")
	if len(s) > 40 {
		s = s[:40]
	}
	low := strings.ToLower(s)
	for _, start := range [...]string{"<!doctype", "<html", "<head>", "<body", "<?xml", "<title", "<center><h1>"} {
		if strings.HasPrefix(low, start) {
			return true
		}
	}
	return false
}

// errorObject reports whether a text is a JSON object that tells of an error.
func errorObject(s string) bool {
	o, _, state := scan(s, 0, false)
	if state == bad {
		return false
	}
	has := map[string]bool{}
	for _, m := range o {
		key := strings.ToLower(m.key)
		has[key] = true
		if key == "type" && strings.Contains(strings.ToLower(m.text), "error") {
			return true
		}
	}
	return has["error"] || has["errors"] || has["detail"] || has["error_code"] || has["errorcode"] || has["message"] && (has["code"] || has["status"] || has["statuscode"] || len(o) == 1)
}

// classify gives the code of a text that is known to be an error.
func classify(s string, otherwise recap.Code) *recap.Error {
	if len(s) > 8000 {
		s = strings.ToValidUTF8(s[:8000], "")
	}
	low := folding(s)
	for _, k := range table().object {
		if k.words.MatchString(low) {
			return failure(k.code)
		}
	}
	return failure(otherwise)
}
