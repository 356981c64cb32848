package evidence

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// A sentence that tells only how things stand, in whatever words, says what
// the status of a draft says from receipts. It is quoted where the facts say
// the same. That it is such a sentence is told by what it lacks: work that was
// done, a name of the session, a word of the request.

// Words that such a sentence may have: a longer one tells something else too.
const (
	maxBareWords  = 8
	maxPlaceWords = 14
	maxPassWords  = 4
)

// stateWords are words of such sentences. Those of tests and of places where
// work is kept stand for themselves; "all", "fine" and "errors" do so together.
var stateWords = [...]entry{
	{mTest, "assertion|assertions|suite|test suite|exit code|exit status|zusicherung|zusicherungen|testsuite|la suite|aserción|aserciones|проверки выполняются|проверки проходят|断言|アサーション"},
	{mFail, "case|cases|failure|failures|fails|complaint|complaints|error|errors|regression|regressions|warnings|problem|problems|issues|fehler|fehlschläge|fehlschlag|probleme|échec|échecs|erreur|erreurs|problème|fallo|fallos|error|errores|problema|problemas|falla|ошибок|ошибки|ошибка|падений|сбоев|проблем|错误|失败|问题|红的|エラー|失敗|問題|赤い|red|breaks|broke|rot|rouge|casse|rojo|rompe|красн*|падает|ломается|坏|壊れ"},
	{mAll, "everything|nothing left|nothing remains|it all|that's all|alles|tout|todo|всё|все|一切|全部|すべて|全て|全件"},
	{mNeg, "nothing|nichts|rien|nada|ничего|ничто|什么都|何も|毫无|all|every|each|no|not one|none|zero|without|full|clean|keine|kein|keinen|null|ohne|alle|aucun|aucune|zéro|sans|plus aucun|toutes|tous|ningún|ninguna|cero|sin|todas|todos|нет|без|ни|ноль|所有|没有|零|都|なし|ありません|ひとつも|一つも|ない"},
	{mDone, "done|good|fine|clear|in order|ok|okay|perfect|great|happy|checks out|holds|holds up|gut|bestens|erledigt|fertig|zufrieden|fait|bien|contente|hecho|listo|готово|хорошо|в порядке|отлично|чист|чистый|чисто|чисты|全绿|完成|好|没问题|完了|良好|大丈夫"},
	{mCommitWeak, "commit|commits|committed|git|version control|in history|history now|in the history|in the repository|in the repo|in the codebase|is on main|on the main branch|diff is in|change is in|im repo|versionsverwaltung|im repository|in der historie|im verlauf|коммит*|гит|гите|в репозитории|в истории|dans le dépôt|dans l'historique|en el repositorio|en el historial|仓库|コミット|リポジトリ"},
	{mPushWeak, "github|gitlab|bitbucket|on the remote|on origin|on the server|auf dem server|auf dem remote|sur le serveur|sur le dépôt distant|en el servidor|en el remoto|гитхаб*|на сервере|远程仓库|リモートに|サーバに|サーバーに"},
	{mPRWhat, "pull request|pull requests|pull-request|pull-requests|pr|prs|merge request|merge requests|merge-request|mr|mrs|пулл-реквест*|пул-реквест*|合并请求|拉取请求|プルリクエスト|プルリク"},
	{0, "commit message|commit messages|commit hook|commit hooks|commit hash|last commit|previous commit|git commit|git add|git status|git diff|git log|pull request template|pull request description"},
	{mDeployWeak, "the release is|release is|new version|das release|neue version|la version est|nouvelle version|la versión ya|nueva versión|релиз*|новая версия|新版本|已发布|リリースしました|新しいバージョン"},
}

var lookupState = sync.OnceValue(func() *index { return plainIndex(stateWords[:]) })

// boast: the sentence claims a state that the facts do not bear out. Subject
// are the telling words of the request.
func (f *Facts) boast(s string, subject []string, sp *scratchpad) bool {
	boast, _ := f.tellsState(s, subject, sp)
	return boast
}

// stateProven: the sentence tells a state, and the facts bear it out.
func (f *Facts) stateProven(s string, sp *scratchpad) bool {
	boast, state := f.tellsState(s, nil, sp)
	return state && !boast
}

// tellsState reads whether a sentence tells how things stand and no more, and
// whether that is a boast.
func (f *Facts) tellsState(s string, subject []string, sp *scratchpad) (boast, state bool) {
	if isQuestion(s) || len(f.Edits)+len(f.Tests)+len(f.Commits) == 0 {
		return false, false
	}
	boast, told, strictMarks := f.strictly(s)
	if told {
		return boast, true
	}
	n := language.Words(s)
	r := sp.read(s)
	for i := range r.clauses {
		for _, c := range r.clauses[i].claims() {
			if c.kind != claimEdited || n > 2 {
				return false, false // it admits something, tells of work, or is proven
			}
		}
	}
	plans := false
	for _, h := range r.hits {
		plans = plans || h.mark&mResult != 0 && h.mark&mNow == 0 || h.mark&(mCond|mOffer) != 0 || h.mark&mHedge != 0 && s[h.start:h.end] != "you"
	}
	if strings.ContainsFunc(s, isRun) {
		n = max((utf8.RuneCountInString(s)+1)/3, 2) // no spaces between its words
	}
	sp.toks = tokenize(s, sp.toks[:0])
	sp.hits = lookupState().scan(sp.toks, sp.hits[:0])
	marks := mark(0)
	for _, h := range sp.hits {
		marks |= h.mark
	}
	if namesHash(s) {
		marks |= mCommitWeak
	}
	place := marks & (mCommitWeak | mPushWeak | mPRWhat | mDeployWeak)
	passes := strictMarks&(mPass|mTestPass|mBuildPass) != 0
	bare := marks&(mTest|mAll) != 0 || marks&(mFail|mDone) != 0 && marks&mNeg != 0 || passes && n <= maxPassWords && r.marks&mNeg == 0
	switch {
	case n <= 1:
		bare = r.marks&mGreeting == 0 && !strings.ContainsAny(s, "0123456789")
	case n <= 2:
		bare = bare || marks != 0 || r.marks&mNow != 0
	}
	switch {
	case plans && marks&mAll == 0 && (n > maxPassWords || marks&mFail == 0 || marks&mNeg == 0):
		return false, false // it explains, or tells what is to come
	case place == 0 && !bare, n > maxPlaceWords, place == 0 && n > maxBareWords, f.ofSession(s, subject):
		return false, false
	}
	switch {
	case place == 0:
		return !f.testsPass(false), true
	case place&mDeployWeak != 0 && !f.commandPassed(classDeploy) && !f.pushed():
		return true, true
	case place&mPRWhat != 0 && !f.commandPassed(classPR) && !f.merged():
		return true, true
	case place&mPushWeak != 0 && !f.pushed() && !f.merged():
		return true, true
	}
	return place&mCommitWeak != 0 && !f.committed(false), true
}

// strictly reads the sentence with the words of a guard: a pull request, a
// push, a merge, a deployment that nothing proves is a boast at any length.
func (f *Facts) strictly(s string) (boast, told bool, marks mark) {
	q := scratchpad{strict: true}
	r := q.read(s)
	marks = r.marks
	for i := range r.clauses {
		for _, c := range r.clauses[i].claims() {
			switch c.kind {
			case claimPR, claimPushed, claimMerged, claimDeployed, claimHosted:
				if c.negated || c.cond {
					return false, true, marks
				}
				if !f.permits(c) {
					return true, true, marks
				}
			}
		}
	}
	return false, false, marks
}

// ofSession: the sentence names something of the session: a word of the
// request that is none of a state, a file that was changed, an identifier.
func (f *Facts) ofSession(s string, subject []string) bool {
	low := lower(s)
	for _, w := range subject {
		if utf8.RuneCountInString(w) > 6 && !strings.ContainsFunc(w, isRun) {
			w = clip(w, utf8.RuneCountInString(w)-2)
		}
		if strings.Contains(low, w) && !isState(w) {
			return true
		}
	}
	for _, sp := range f.spots {
		name := lower(sp.file[strings.LastIndexByte(sp.file, '/')+1:])
		stem, _, _ := strings.Cut(name, ".")
		if len(stem) > 2 && strings.Contains(low, stem) {
			return true
		}
	}
	return namesIdentifier(s)
}

// isState: the word is one of a state, whatever stands beside it.
func isState(w string) bool {
	toks := tokenize(w, nil)
	return len(lookupState().scan(toks, nil)) > 0 || len(lookup().scan(toks, nil)) > 0
}
