package evidence

// mark says what a word or phrase of the lexicon means. Marks of a clause add
// up: "tests" and "pass" make a claim that tests pass, "not" turns it round.
type mark uint64

const (
	mTest      mark = 1 << iota // tests, suite
	mBuild                      // build, lint, type check
	mPass                       // passes, green: a claim beside tests or build
	mFail                       // fails, broken
	mTestPass                   // a claim in itself: "tests-green", "テスト通過"
	mBuildPass                  // "compiles"
	mVerified                   // verified, tested
	mEdited                     // fixed, added: work that was done
	mRan                        // ran, executed
	mCommitted
	mPushed
	mMerged
	mPR
	mDeployed
	// The weak marks are claims only beside an aspect mark (Chinese 了,
	// Japanese ました), or when negated ("did not commit").
	mCommitWeak
	mPushWeak
	mDeployWeak
	mRanWeak
	mMergeWeak
	mVerifyWeak
	mEditWeak
	mMergeWhat  // branch, pull request: what "merged" needs beside it
	mDeployWhat // production, npm: what "released" needs beside it
	mDeployVerb // released, published
	mAspect     // marks a verb as done
	mNeg        // not, without, failed to
	mCond       // if, once, until
	mHedge      // should, will, can
	mAll        // all, everything
	mSplit      // and, but: opens a clause
	mPreamble   // "let me", at the start: what the agent is about to do
	mOffer      // "would you like", "let me know"
	mGreeting   // "great", "you're welcome", at the start
	mSummary    // "here's a summary", at the start
	mNext       // "next", "you can now", at the start
	mResult     // "so", "the cause is", "now"
	mAskVerb    // "fix", "why", at the start of a request
	mOpen       // "after", at the start: does not stand alone
	mMade       // "created", after "the commit": it was done
	mNow        // "now", "no longer": how things stand after the work
	mStrip      // "please", "can you", at the start of a request: not quoted
	mNegAdj     // "skipped", "pending": denies the noun it stands at, no verb behind
	mDone       // "finished", "works"
	mApproved   // "approved", "accepted by"
	mPRWhat     // "pull request": opened, it is a claim
	mProd       // "production": what changes there was deployed
	mFuture     // "will be", "needs to be", "ready to be"
	mHosted     // "tagged", "closed on GitHub": changed on a server of code
)

// mClaims are the marks that stand for work on the ladder.
const mWeak = mCommitWeak | mPushWeak | mDeployWeak | mRanWeak | mMergeWeak | mVerifyWeak | mEditWeak

// entry lists phrases of a meaning. Phrases are divided by "|"; a star at the
// end of a phrase stands for any ending. Chinese, Japanese and Korean phrases
// are found anywhere in a run of their script. Everything is lower case, and
// apostrophes are straight.
type entry struct {
	mark    mark
	phrases string
}

// lexicon is the status lexicon. Words of all languages stand together: a
// sentence is looked up in all of them, since people mix languages.
var lexicon = [...]entry{
	// How things stand now, in all languages.
	{mNow, "now|no longer|instead|from now on|теперь|больше не|тепер|більше не|现在|不再|改为|ahora|ya no|agora|não mais|adesso|non più|jetzt|nun|nicht mehr|voortaan|nu|désormais|maintenant|ne plus|n'est plus|ようになりました|なくなりました|이제|더 이상|teraz|artık"},

	// Openings that wait for another clause, and nouns with a verb behind them.
	{mOpen, "after|since|by|following|upon|with|without|after|once|as|после|з|після|nach|nachdem|seit|mit|después|tras|desde|con|com|après|depuis|avec|dopo|po|despite|given|having"},
	{mMade, "created|made|done|complete|completed|in|added|recorded|successful|succeeded|hecho|hechos|hecha|realizado|realizados|listo|effectué|effectués|effectuée|fait|faits|drin|erledigt|erstellt|gemacht|angelegt|feito|feitos|fatto|fatti|eseguito|создан*|сделан*|готов*|выполнен*|прошел|прошёл|утворено|зроблено|gemaakt|utworzony|zrobiony|yapıldı|oluşturuldu"},

	// That nothing is left to commit says that all is committed.
	{mCommitted | mAll, "working tree is clean|working tree clean|working directory is clean|clean working tree|nothing left to commit|nothing to commit|no uncommitted changes|git status is clean|arbeitsverzeichnis ist sauber|nichts mehr zu committen|keine uncommitteten änderungen|árbol de trabajo está limpio|árbol de trabajo limpio|nada por commitear|arbre de travail est propre|rien à commiter|árvore de trabalho está limpa|albero di lavoro è pulito|niente da committare|рабочее дерево чистое|рабочая копия чистая|нечего коммитить|незакоммиченных изменений нет|незакоммиченных изменений не осталось|工作区干净|工作区是干净的|没有未提交的|作業ツリーはクリーン|作業ツリーはきれい|未コミットの変更はありません|作業ディレクトリはクリーン|커밋할 것이 없|커밋되지 않은 변경은 없|작업 트리가 깨끗"},

	// What comes without something is there all the same.
	{mSplit, "without|ohne|sans|sin|без|senza|sem|zonder|bez"},

	// English.
	{mTest, "test|tests|testing|unittest|unittests|suite|suites|spec|specs|pytest|vitest|jest|ctest|rspec|phpunit|e2e|ci|checks|test-suite|testcases|pipeline"},
	{mBuild, "build|builds|compile|compiles|compilation|lint|linter|linting|typecheck|type-check|type checking|type check|type checker|typechecks|typechecking|tsc|clippy|eslint"},
	{mPass, "pass|passes|passed|passing|all good|happy|look good|looks good|✅|green|succeed|succeeds|succeeded|successful|successfully|clean|cleanly|ok|fine"},
	{mFail, "fail|fails|failed|failing|failure|failures|broken|red|errors|crashes|crashed"},
	{mBuildPass, "compiles|builds cleanly|builds successfully|builds fine|type-checks|typechecks|lints clean"},
	{mVerified, "verified|tested|validated|confirmed working|confirmed it works|confirmed that it works|works correctly|works as expected|working as expected|works as intended|working correctly|works now|now works|works fine|works end to end|fully working|works perfectly|fully functional|battle-tested|is verified|double-checked"},
	{mVerifyWeak, "verify|validate"},
	{mEdited, "fixed|added|implemented|updated|changed|removed|renamed|refactored|created|wrote|written|rewrote|replaced|moved|deleted|extracted|introduced|converted|migrated|corrected|resolved|wired|split|switched|bumped|adjusted|simplified|reworked|patched|made|dropped|optimized|optimised|set up|cleaned up|merged in|configured|documented|translated|inlined|disabled|enabled|ported|generated|installed|upgraded|downgraded|reduced|increased|hardened|handled|fixes|adds|implements"},
	{mEditWeak, "fix|add|implement|change|update|edit|modify"},
	{mRan, "ran|suite completed|tests completed|suite finished|tests finished|executed|re-ran|reran|run through|have run|has run|been run|were run|was run"},
	{mRanWeak, "run|execute|running|executing|re-run|rerun|skipped|skipping"},
	{mCommitted, "committed|uncommitted|recommitted|made a commit|created a commit|created the commit|created commit|added a commit|one commit|commit created|amended the commit|in a single commit|as commit|commit is in"},
	{mCommitWeak, "commit|commits|committing"},
	{mPushed, "pushed|force-pushed|unpushed|repushed|on the remote|on origin"},
	{mPushWeak, "push|pushing"},
	{mMerged, "landed on main|landed in main|landed on master|is on main|now on main|are on main|merge is done|merge completed|squash-merged"},
	{mMergeWhat, "branch|branches|main|master|pr|pull request|mr|develop|upstream|trunk|#*"},
	{mMergeWeak, "merge|merging|merged"},
	{mPR, "opened a pr|opened a pull request|created a pr|created a pull request|opened pr|created pr|opened the pr|created the pr|opened the pull request|created the pull request|pr is open|pr is up|pull request is open|pull request is up|opened a draft pr|pr opened|pr created|raised a pr|submitted a pr|opened a merge request|created a merge request"},
	{mDeployed, "deployed|redeployed|undeployed|rolled out|is live|now live|went live|gone live|live in production|is in production|it's in production|now in production|is in prod|it's in prod|live on production|running in production|in production now|deployment succeeded|deployment is complete|deployment completed|deploy succeeded|deploy is done|shipped to"},
	{mDeployWeak, "deploy|deploying|deployment|deploys|publish|release"},
	{mDeployVerb, "released|published|shipped|uploaded"},
	{mDeployWhat, "production|prod|staging|npm|pypi|crates.io|registry|version|release|customers|users|docker hub|rubygems|maven central|app store|marketplace|nuget|homebrew|v0*|v1*|v2*|v3*|v4*|v5*|v6*|v7*|v8*|v9*"},
	{mNeg, "not|no|never|without|cannot|can't|cant|couldn't|didn't|don't|doesn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|won't|wouldn't|shouldn't|none|nothing|neither|nor|unable|failed to|fails to|skipped|skipping|uncommitted|unpushed|undeployed|unmerged|unverified|untested|yet to|refused to|instead of|nobody|zero|pending|blocked|rather than|still needs|still need|remains to|remain to|hold off|held off|awaiting|waiting"},
	{mVerifyWeak, "untested|unverified"},
	{mCond, "if|once|until|unless|when|whenever|before|as soon as|so that|in order to|assuming|provided|make sure|ensure"},
	{mHedge, "should|will|would|could|can|may|might|must|to be|ready to|need to|needs to|going to|let me|you|want me to|shall|i'll|we'll|probably|likely|expected to|supposed to|plan to|then"},
	{mAll, "all|everything|every|entire|whole|full|each|fully|both|100"},
	{mSplit, "and|but|while|whereas|although|though|however|so|yet|then|because|except|plus|with"},
	{mPreamble, "let me|let's|i'll|i will|i'm going to|i am going to|now let me|now i'll|now i will|first i'll|first let me|first|going to|looking at|i need to|i should|next i'll|next i will|i'm now|now i need|let us|starting with|checking|reading|searching|running|i can see|i see|i understand|i'd like to|i want to|ok let me|okay let me|time to|on it|sure let me|sure i'll|i have finished|i've finished|i have completed|i've completed|i've analyzed|i have analyzed|i analyzed|i've looked|i looked|i have looked|i've gone through|i went through|i have gone through|i've read|i read through|to do this|to fix this|good now|now run|now update|now add"},
	{mOffer, "would you like|let me know|do you want|want me to|if you want|if you'd like|if you would like|if you need|feel free|happy to|shall i|should i|i can also|just say|just tell me|just ask|say the word|anything else|happy coding|hope this helps|hope that helps|you may want to|you might want to|please let me know|ready for review|ready when you are|is there anything|any questions|does that|ask away|please review|tell me"},
	{mGreeting, "great|perfect|excellent|sure|certainly|absolutely|of course|you're welcome|you are welcome|hello|hi|hey|thanks|thank you|good question|great question|good catch|you're right|you're absolutely right|you are right|i apologize|sorry|apologies|no problem|my pleasure|got it|understood|okay|ok|alright|all done|done|all set|finished|complete|completed|awesome|nice|yes|no worries|right|good|sounds good|glad to help|welcome|success"},
	{mSummary, "here's|here is|here are|summary|in summary|to summarize|what i did|what changed|what was done|the changes|changes made|below is|below are|the following|overview|recap|tl;dr|as follows|these are|this is what|key changes|files changed"},
	{mNext, "next|next steps|next step|you can now|you can|you'll need|you will need|to run|to use|to test|to try|to verify|run|try|now you can|remember to|don't forget|make sure|note that you|see|open|use|usage|please"},
	{mResult, "so|therefore|thus|because|cause|root cause|caused by|turned out|turns out|result|results|conclusion|the problem|the problem was|the issue|the issue was|the reason|the bug|now|no longer|instead|the answer|the fix|in short|found|comes from|due to|means|recommend|recommendation|best option|the culprit"},
	{mAskVerb, "fix|add|make|implement|write|create|update|remove|refactor|explain|why|how|what|where|which|who|when|is|are|does|do|did|should|find|check|change|rename|move|delete|run|show|use|build|set|convert|migrate|investigate|debug|look|review|test|optimize|improve|replace|split|extract|help|give|tell|compare|describe|document|translate|upgrade|bump|deploy|we need|i want|i need|i'd like|need to|can we|rewrite|clean|simplify|try|continue with|port|generate|list|design|plan|figure out|summarize|revert|install|configure|handle|support|stop|let's|prevent|ensure|wire|finish"},
	{mStrip, "please|can you|could you|would you|can you please|could you please|hey|hi|hello|hey claude|hi claude|ok|okay|now|so|and|also|well|alright|great|thanks|thank you|cool|perfect|yes|yeah|nice|good|hi there|hey there|hello there|hi all|hello all|hi everyone|hello everyone|hey all|hi team|hey team|good morning|good afternoon|good evening|claude|pls|kindly|ok now|ok so|i want you to|i'd like you to|i need you to|i would like you to|just|then|next"},

	// Russian and Ukrainian.
	{mTest, "тест|теста|тесту|тесты|тестов|тестам|тестами|тестах|тести|тестів|тестом|тестовый|тестового|юнит-тест*|автотест*|сьют*|спеки|спеков|пайплайн*"},
	{mBuild, "сборка|сборку|сборки|билд*|линтер*|компиляция|збірка|збірку|збірки|лінтер*|тайпчек*"},
	{mPass, "прошел|прошёл|прошла|прошли|прошло|проходит|проходят|пройден*|проходять|проходить|пройшли|пройшов|пройшла|зелен*|зелён*|успешн*|успішн*|ок"},
	{mFail, "падает|падают|упал|упала|упали|упало|провал*|провалился|сломан*|красны*|ошибк*|падає|падають|впав|впали|червон*|помилк*|завалил*|не прошли|не прошел|не прошёл|не прошла|не проходит|не проходят"},
	{mBuildPass, "собирается|компилируется|компілюється|збирається"},
	{mVerified, "проверено|проверен|проверена|протестировал*|протестирован*|перевірено|протестовано|протестував*|убедился|убедилась|всё работает|все работает|все працює|работает корректно|работает правильно|теперь работает|тепер працює|працює коректно|работает как надо|работает как ожидалось|оттестирован*"},
	{mVerifyWeak, "проверял*|проверил*|проверить|перевіряв*|перевіряти|тестировал*"},
	{mEdited, "исправил*|исправлен*|добавил*|добавлен*|реализовал*|реализован*|обновил*|обновлен*|обновлён*|изменил*|изменен*|изменён*|удалил*|удален*|удалён*|переименовал*|переименован*|создал*|создан*|написал*|написан*|переписал*|переписан*|вынес*|поправил*|починил*|починен*|сделал*|сделан*|заменил*|заменен*|заменён*|убрал*|убран*|настроил*|настроен*|перенес*|перенёс*|внес|внёс|внесен*|внесён*|устранил*|устранен*|устранён*|виправив|виправила|виправлено|додав|додала|додано|реалізував*|реалізовано|оновив|оновлено|змінив|змінено|видалив|видалено|створив|створено|написав|переписав|замінив|замінено|перейменував|прибрав|розбив|разбил*|разделил*|упростил*|ускорил*|внедрил*|сократил*"},
	{mRan, "запустил|запустила|запускал|запускала|запускались|запускал*|прогнал*|прогонял*|выполнил*|выполнен*|запущен*|прогнан*|запустив|запустила|виконав|виконано|запущено"},
	{mRanWeak, "запускать|запустить|прогнать|запуск*|пропустил*|пропущен*"},
	{mCommitted, "закоммичен*|закоммитил*|закомитил*|закомичен*|сделал коммит|создал коммит|сделан коммит|создан коммит|коммит сделан|коммит создан|закомічено|закомітив*|зафиксировал изменения|зробив коміт|створив коміт"},
	{mCommitWeak, "коммит*|закоммит*|закомит*|комит*|коміт*|закоміт*"},
	{mPushed, "запушен*|запушил*|запушено|запушив*|отправил в репозиторий|отправил в origin|отправлено в origin|отправлены в origin|отправлено в репозиторий|отправлены в репозиторий|отправил на сервер|відправив у репозиторій|залил в репозиторий|залил в мастер|залил в main|залил в master|залито в|залил на сервер|залил на github"},
	{mPushWeak, "пуш*|запуш*|пушил*"},
	{mMerged, "смержил*|смержен*|смёржен*|вмержил*|влил в|влит в|влита в|влиты в|слил в|змержив*|змерджено"},
	{mMergeWeak, "мерж*|смерж*"},
	{mPR, "открыл pr|создал pr|открыт pr|создан pr|pr открыт|pr создан|открыл пулл-реквест|создал пулл-реквест|открыл мр|створив pr|відкрив pr"},
	{mDeployed, "задеплоен*|задеплоил*|развернут*|развёрнут*|развернул*|выкатил*|выкачен*|выложен в прод*|выложил в прод*|опубликован*|опубликовал*|задеплоєно|задеплоїв*|розгорнуто|розгорнув|опубліковано|в проде|на проде|в продакшене|деплой прошел|деплой прошёл|деплой завершен|деплой завершён|зарелизил*"},
	{mDeployWeak, "депло*|задепло*|разверн*|развёрт*|развертыв*|публик*"},
	{mNeg, "ничего|нічого|никто|не|нет|ни|без|нельзя|невозможно|пропустил*|пропущен*|немає|ні|неможливо|отменен*|отменён*|отклонен*|отклонён*|ноль|ждёт|ждет|ожидает|ещё не|еще не|вместо|пропустив|чекає|отказ*"},
	{mCond, "если|когда|пока|чтобы|якщо|коли|доки|щоб|после того|перед тем|при условии|як тільки|как только"},
	{mHedge, "должен|должна|должно|должны|может|могу|можно|нужно|надо|следует|будет|будут|возможно|вероятно|повинен|повинна|повинні|треба|потрібно|можна|буде|будуть|можете|стоит"},
	{mAll, "все|всё|весь|вся|всех|полностью|всі|усі|всё-таки|целиком|оба"},
	{mSplit, "и|а|но|однако|хотя|зато|та|але|й|поэтому|потому|так что"},
	{mPreamble, "сейчас я|давайте|давай|посмотрю|посмотрим|сначала|я сейчас|проверю|начну|я буду|мне нужно|попробую|запущу|зараз|спочатку|подивлюся|сейчас|смотрю|перехожу|теперь я|теперь добавлю|теперь обновлю|приступаю"},
	{mOffer, "хотите|хочешь|если хотите|если нужно|если хочешь|дайте знать|дай знать|скажите|скажи|могу также|могу ещё|могу еще|нужно ли|обращайтесь|обращайся|надеюсь|якщо потрібно|якщо хочете|дайте знати|бажаєте|чи потрібно|сообщите|готов помочь|подсказать"},
	{mGreeting, "отлично|готово|хорошо|привет|здравствуйте|пожалуйста|конечно|понял|поняла|спасибо|да|всё готово|все готово|сделано|супер|добре|чудово|привіт|звичайно|зрозумів|будь ласка|окей|ок|извините|прошу прощения|рад помочь|не за что|ясно|угу|принято"},
	{mSummary, "вот|итог|итого|итоги|что сделано|краткий итог|резюме|ниже|ось|підсумок|що зроблено|список изменений|изменения|что изменилось"},
	{mNext, "далее|теперь вы можете|теперь можно|вы можете|для запуска|чтобы запустить|запустите|далі|тепер можна|следующий шаг|следующие шаги|наступний крок|не забудьте"},
	{mResult, "поэтому|причина|причиной|проблема|проблема была|оказалось|теперь|больше не|в итоге|дело в|из-за|тому|причина в|виявилось|тепер|более не|результат|нашёл|нашел|знайшов|ошибка была|лучший вариант|рекомендую|вывод"},
	{mAskVerb, "исправь|исправьте|добавь|добавьте|сделай|сделайте|почини|почему|объясни|объясните|напиши|напишите|создай|удали|удалите|переименуй|проверь|проверьте|найди|найдите|как|что|где|какой|какие|зачем|обнови|обновите|перепиши|покажи|реализуй|реализуйте|нужно|надо|запусти|поправь|убери|вынеси|помоги|настрой|посмотри|разберись|замени|ускорь|разбей|сравни|переведи|виправ|додай|зроби|чому|поясни|створи|видали|перевір|знайди|онови|перепиши|покажи|реалізуй|запусти|треба|потрібно|опиши"},
	{mStrip, "пожалуйста|привет|так|ну|а|и|теперь|ок|окей|слушай|хорошо|спасибо|отлично|да|будь ласка|привіт|тепер|добрый день|здравствуйте|а теперь|давай|ладно|доброе утро|дякую|супер"},

	// Chinese.
	{mTest, "测试|測試|用例|单测|單測|流水线"},
	{mBuild, "构建|構建|编译|編譯|类型检查|静态检查"},
	{mPass, "通过|通過|全绿|全綠|成功|正常|跑通|无误|没问题|绿的|绿色|变绿|都绿"},
	{mFail, "失败|失敗|报错|報錯|不通过|未通过|没通过|没有通过|挂了|出错"},
	{mVerified, "已验证|已完成测试|完成测试|测试完成|完成了测试|验证通过|验证过|已經驗證|验证完成|经过验证|测试过|已测试|验证了|运行正常|工作正常|正常工作|可以正常|一切正常|驗證通過"},
	{mVerifyWeak, "验证|驗證"},
	{mEditWeak, "修复|修復|添加|新增|实现|實現|更新|修改|删除|刪除|重命名|重构|重構|创建|創建|编写|替换|移除|改为|改成|增加|优化|拆分|提取|迁移|改写|调整|加上|加了|写了|改了|改用|处理|改好|修好|写好|做好|加好|调好|补上|修正"},
	{mRanWeak, "运行|運行|执行|執行|跑了|跑过|跑一遍|跳过"},
	{mCommitWeak, "提交|commit"},
	{mPushWeak, "推送|push"},
	{mMergeWeak, "合并|合併"},
	{mMergeWhat, "分支|主干"},
	{mPR, "创建了pr|已创建pr|提了pr|发起了pr|创建了合并请求|已提pr"},
	{mDeployWeak, "部署|发布|發布|上线|上線"},
	{mAspect, "已|了|完成|完毕|成功|好了|过了"},
	{mNeg, "未|没|沒|没有|沒有|不|无|無|尚未|跳过|跳過|无法|零|等待|待提交|待推送|待部署|拒绝"},
	{mCond, "如果|当|等到|之后再|一旦|除非|请先|之前"},
	{mHedge, "应该|可能|可以|需要|将|会|请|准备|建议|必须|应当"},
	{mAll, "全部|所有|都|整个|完全"},
	{mSplit, "但是|但|不过|不仅|不但|而|并且|并|且|然后|因为|所以|以及|同时"},
	{mPreamble, "让我|我来|我将|我先|首先|接下来我|现在我|我会|正在|下面我|好的，我|我需要|先看|我去|現在我|讓我"},
	{mOffer, "需要我|如果你|如果您|如需|是否需要|要不要|请告诉我|告诉我|随时|希望对|还需要|有什么问题|您可以告诉|要我"},
	{mGreeting, "好的|没问题|当然|完成了|已完成|完成|不客气|你好|您好|谢谢|明白|收到|完美|太好了|很好|抱歉|搞定|没事|是的"},
	{mSummary, "以下是|总结|摘要|改动如下|修改如下|如下|主要改动|变更|主要变更|具体如下"},
	{mNext, "接下来|下一步|你可以|您可以|现在可以|后续|运行以下|使用方法|请运行|记得"},
	{mResult, "因此|所以|原因|原因是|问题|问题在于|根本原因|现在|不再|结果|由于|发现|结论|建议采用|导致"},
	{mAskVerb, "修复|添加|帮我|帮忙|请|实现|解释|为什么|怎么|如何|写|创建|删除|重构|检查|找|更新|把|给|将|优化|看看|分析|加|改|运行|什么|哪|查|新增|移除|翻译|让|修|増加|设计"},
	{mStrip, "麻烦你|麻烦您|好的|你好|您好|谢谢|好|嗯|现在|那么|请|请你|帮我"},

	// Japanese.
	{mTest, "テスト|スペック"},
	{mBuild, "ビルド|コンパイル|型チェック|リント"},
	{mPass, "通過|成功|パス|通り|通っ|通る|合格|グリーン|緑|問題なく"},
	{mFail, "失敗|エラー|落ち|壊れ"},
	{mVerified, "検証済|検証しま|検証でき|動作確認|動作を確認|テスト済|確認済|正常に動作|問題なく動|期待通り|期待どおり|正しく動"},
	{mVerifyWeak, "検証|確認"},
	{mEditWeak, "修正|追加|実装|更新|変更|削除|リファクタ|作成|置き換え|移動|改善|書き換え|対応|直し|導入|分割|切り替え|整理|最適化|統一|抽出|リネーム|移行|置換|追記|改修|組み込"},
	{mRanWeak, "実行|走らせ|スキップ"},
	{mCommitWeak, "コミット"},
	{mPushWeak, "プッシュ"},
	{mMergeWeak, "マージ"},
	{mMergeWhat, "ブランチ|プルリク"},
	{mPR, "prを作成しま|プルリクエストを作成しま|prを作りま|prを開きま"},
	{mDeployWeak, "デプロイ|公開|リリース|本番反映|本番に反映|本番環境に反映"},
	{mAspect, "ました|済み|済|した|完了|できた|しており"},
	{mNeg, "おらず|ずに|ません|ない|なかっ|未|まだ|ず、|せず|なく|スキップ|不可|拒否|待ち|なし"},
	{mCond, "場合|なら|たら|すれば|次第|したあと|後に|する前|よう"},
	{mHedge, "はず|でしょう|かもしれ|必要|ください|予定|可能|します|べき"},
	{mAll, "すべて|全て|全部|全|一通り"},
	{mSplit, "が、|し、|ですが|けど|一方|しかし|また|そして|ため"},
	{mPreamble, "まず|これから|確認します|調べます|見てみます|始めます|では|それでは|次に|実行します|修正します|確認してみ|これを"},
	{mOffer, "必要であれば|ご希望|お知らせください|しましょうか|よろしいでしょうか|いかがでしょうか|お気軽に|教えてください|必要でしたら|ますか|もしよければ|ご確認ください"},
	{mGreeting, "はい|わかりました|承知しました|了解|完了しました|ありがとう|こんにちは|もちろん|どういたしまして|完璧|素晴らしい|すみません|申し訳|できました|終わりました"},
	{mSummary, "以下|まとめ|概要|変更点|主な変更|次のとおり|以下の通り"},
	{mNext, "次のステップ|次は|今後|使い方|実行するには|これで"},
	{mResult, "原因|そのため|結果|問題は|現在は|ようになりました|ため|つまり|結論|なくなりました|により|おすすめ"},
	{mAskVerb, "して|直し|追加|修正|作って|書いて|なぜ|どう|教えて|説明|実装|削除|調べて|確認して|ください|見て|変更|直して|どこ|何|ほしい|たい"},
	{mStrip, "お願いします|すみません|こんにちは|では|じゃあ|あと|次は|それでは|ありがとう|はい|ok、"},

	// Korean.
	{mTest, "테스트"},
	{mBuild, "빌드|컴파일|린트|타입 검사"},
	{mPass, "통과|성공|정상"},
	{mFail, "실패|오류|에러|깨졌|깨집"},
	{mVerified, "검증했|검증됐|검증되었|검증 완료|확인 완료|정상 동작|정상적으로 동작|정상 작동|잘 동작|테스트했|테스트 완료"},
	{mVerifyWeak, "검증"},
	{mEditWeak, "수정|추가|구현|변경|삭제|업데이트|생성|작성|교체|제거|리팩터|리팩토|이동|개선|고쳤|바꿨|분리|적용|도입"},
	{mRanWeak, "실행|돌렸|돌려"},
	{mCommitWeak, "커밋"},
	{mPushWeak, "푸시"},
	{mMergeWeak, "병합|머지"},
	{mMergeWhat, "브랜치"},
	{mDeployWeak, "배포|출시|게시"},
	{mAspect, "했|됐|되었|완료|마쳤"},
	{mNeg, "않|못했|못하|없이|없습|없었|아직|미완|건너|실패하지|대기|거부|불가"},
	{mCond, "면|경우|때까지|전에|후에"},
	{mHedge, "할 수|것입|겠습|해야|필요|하세요|예정"},
	{mAll, "모두|모든|전부|전체"},
	{mSplit, "지만|고,|하고|그리고|그러나|하지만|으며"},
	{mPreamble, "먼저|이제|확인해 보|살펴보|하겠습니다|시작하겠|확인하겠"},
	{mOffer, "원하시|필요하시|알려 주|알려주|할까요|드릴까요|말씀해|도와드|궁금한"},
	{mGreeting, "네|알겠습니다|좋습니다|완료했습니다|완료되었습니다|감사|안녕하세요|물론|완벽|천만에요|죄송"},
	{mSummary, "다음은|요약|변경 사항|변경사항|아래"},
	{mNext, "다음 단계|이제 사용|다음으로"},
	{mResult, "원인|따라서|결과|문제는|때문|더 이상|이제|결론"},
	{mAskVerb, "해줘|해주세요|추가|수정|왜|어떻게|고쳐|만들어|설명|구현|삭제|확인해|작성|바꿔|알려|찾아|뭐|어디"},
	{mStrip, "안녕하세요|제발|이제|그럼|부탁|네|감사합니다"},

	// Spanish.
	{mTest, "prueba|pruebas|tests|suite|batería"},
	{mBuild, "compilación|linter"},
	{mPass, "pasa|pasan|pasó|pasaron|pasado|pasando|pasaban|verde|éxito|exitosa|exitosas|exitosamente|correctamente|superan|superado|superadas"},
	{mFail, "falla|fallan|falló|fallaron|fallando|fallo|fallos|fallidas|fallida|rota|rotas|rojo|errores|ha fallado|han fallado"},
	{mBuildPass, "compila"},
	{mVerified, "verificado|verificada|verificados|verificadas|verifiqué|probado|probada|probé|comprobado|comprobada|comprobé|validado|validada|funciona correctamente|ya funciona|ahora funciona|funciona bien|todo funciona"},
	{mVerifyWeak, "verificar|probar|comprobar"},
	{mEdited, "corregido|corregí|corregida|arreglado|arreglé|arreglada|añadido|añadí|añadida|agregado|agregué|agregada|implementado|implementé|implementada|actualizado|actualicé|actualizada|cambiado|cambié|eliminado|eliminé|eliminada|renombrado|renombré|creado|creé|creada|escrito|escribí|reescrito|reemplazado|reemplacé|movido|moví|refactorizado|refactoricé|solucionado|solucioné|extraído|extraje|quitado|quité|migrado|modificado|modifiqué|resuelto|hecho|sustituido|dividido"},
	{mRan, "ejecutado|ejecuté|ejecutaron|ejecutada|ejecutadas|corrí|he corrido|lanzado|lancé"},
	{mRanWeak, "ejecutar|correr|omitido|omitidas|omití"},
	{mCommitted, "commiteado|commiteé|commiteados|confirmado los cambios|confirmé los cambios|hice commit|hice el commit|he hecho commit|he hecho el commit|creé el commit|creado el commit|commit creado|commit hecho|cambios confirmados|cambios commiteados|hecho un commit|commit realizado|realicé el commit|realizado el commit|creé un commit|confirmados en"},
	{mCommitWeak, "commit|commitear"},
	{mPushed, "pusheado|pusheé|subido|subí|subidos|subida|enviado al remoto|hice push|he hecho push|hecho push|push hecho|empujado|publicada la rama"},
	{mPushWeak, "push|pushear|subir"},
	{mMerged, "fusionado|fusioné|fusionada|mergeado|mergeé"},
	{mPR, "abierto el pr|abierto un pr|abrí el pr|abrí un pr|creado el pr|creado un pr|creé el pr|creé un pr|pr creado|pr abierto"},
	{mDeployed, "desplegado|desplegué|desplegada|desplegados|publicado|publiqué|publicada|en producción|despliegue completado|lanzado a producción"},
	{mDeployWeak, "desplegar|despliegue|publicar"},
	{mNeg, "nada|ni|nadie|no|sin|nunca|ningún|ninguna|ninguno|tampoco|pendiente|pendientes|omitido|omitidas|omití|falta|faltan|imposible|todavía no|aún no|rechazado|esperando|cero"},
	{mCond, "si|cuando|hasta|para que|antes|después|siempre que|en cuanto"},
	{mHedge, "debería|deberían|debe|deben|puede|pueden|podría|hay que|voy a|será|serán|tendría|podemos|puedes"},
	{mAll, "todo|todos|toda|todas|completa|completamente|entera"},
	{mSplit, "y|e|pero|aunque|mientras|sin embargo|luego|porque|así que"},
	{mPreamble, "voy a|déjame|primero|ahora voy|vamos a|empecemos|revisaré|voy|permíteme|comenzaré|ahora"},
	{mOffer, "quieres|quieres que|si quieres|avísame|dime si|hazme saber|si necesitas|puedo también|deseas|te gustaría|si lo deseas|házmelo saber|quiere que|necesitas algo"},
	{mGreeting, "listo|hecho|perfecto|claro|hola|gracias|de nada|excelente|genial|entendido|por supuesto|vale|bien|muy bien|de acuerdo|estupendo|lo siento"},
	{mSummary, "aquí está|aquí tienes|resumen|en resumen|los cambios|a continuación|cambios realizados|estos son"},
	{mNext, "próximos pasos|siguiente paso|ahora puedes|puedes|para ejecutar|para probar|ejecuta|recuerda"},
	{mResult, "por lo tanto|la causa|el problema|el problema era|resultó|ahora|ya no|por eso|debido|porque|resultado|causa|encontré|recomiendo|conclusión"},
	{mAskVerb, "arregla|añade|agrega|corrige|haz|explica|por qué|cómo|qué|dónde|crea|escribe|elimina|actualiza|cambia|revisa|busca|implementa|quita|renombra|refactoriza|ejecuta|muestra|necesito|quiero|mueve|ayúdame|puedes|comprueba|analiza|mejora|optimiza|traduce"},
	{mStrip, "por favor|hola|ahora|y|bueno|gracias|ok|vale|perfecto|oye|sí|luego|entonces|buenas|buenos días"},

	// Portuguese.
	{mTest, "teste|testes"},
	{mPass, "passa|passam|passou|passaram|passando|sucesso|verdes"},
	{mFail, "falha|falham|falhou|falharam|falhando|falhas|quebrado|quebrados|erros"},
	{mVerified, "verifiquei|testado|testada|testei|validei|confirmei que funciona|funciona corretamente|agora funciona|funcionando corretamente|tudo funciona"},
	{mEdited, "corrigi|corrigido|corrigida|adicionei|adicionado|adicionada|implementei|atualizei|atualizado|alterei|alterado|removi|removido|renomeei|criei|criado|criada|escrevi|reescrevi|substituí|movi|refatorei|extraí|consertei|resolvi|mudei|ajustei"},
	{mRan, "executei|rodei|executados|rodaram"},
	{mRanWeak, "executar|rodar"},
	{mCommitted, "commitei|commitado|commitada|commitadas|fiz o commit|fiz commit|commit feito|commit criado|criei o commit"},
	{mPushed, "fiz push|fiz o push|push feito|enviei para o remoto|enviado para o remoto|enviei para o origin|enviadas para o remoto"},
	{mMerged, "mesclei|mesclado"},
	{mPR, "abri o pr|abri um pr|criei o pr|criei um pr"},
	{mDeployed, "implantei|implantado|implantada|publiquei|em produção|deploy feito|fiz o deploy|deploy concluído"},
	{mNeg, "nunca|ninguém|não|sem|nenhum|nenhuma|ainda não|nada|pulei|aguardando"},
	{mCond, "quando|até|depois|antes|assim que|caso"},
	{mHedge, "deve|devem|deveria|pode|podem|precisa|vou|será"},
	{mAll, "tudo|todos|todas|inteira"},
	{mSplit, "mas|porém|embora|enquanto|então"},
	{mPreamble, "vou|deixe-me|primeiro|deixa eu|agora vou"},
	{mOffer, "quer que|se quiser|me avise|gostaria|se precisar|posso também|deseja"},
	{mGreeting, "pronto|feito|perfeito|claro|olá|oi|obrigado|obrigada|entendido|ótimo|certo"},
	{mSummary, "aqui está|resumo|em resumo|mudanças"},
	{mNext, "próximos passos|próximo passo|agora você pode|você pode|execute"},
	{mResult, "portanto|a causa|o problema|agora|não mais|por isso|devido|descobri|recomendo"},
	{mAskVerb, "corrija|adicione|conserte|explique|por que|como|onde|crie|escreva|remova|atualize|mude|verifique|implemente|renomeie|refatore|rode|mostre|preciso|quero|ajude|arrume"},
	{mStrip, "por favor|oi|olá|agora|obrigado|obrigada|ok|então|perfeito|certo"},

	// Italian.
	{mTest, "test|prove"},
	{mPass, "passano|passati|superati|superato|verdi|successo"},
	{mFail, "fallisce|falliscono|fallito|falliti|errori|rotto|rotti"},
	{mVerified, "verificato|testato|ho testato|funziona correttamente|ora funziona|tutto funziona"},
	{mEdited, "corretto|ho corretto|aggiunto|aggiunta|implementato|aggiornato|modificato|rimosso|rinominato|creato|scritto|riscritto|sostituito|spostato|estratto|sistemato|risolto|cambiato"},
	{mRan, "eseguito|eseguiti|lanciato"},
	{mCommitted, "committato|committati|ho fatto il commit|fatto commit|commit creato|commit eseguito|ho creato il commit"},
	{mPushed, "pushato|ho fatto il push|fatto push|push eseguito|inviato al remoto"},
	{mDeployed, "distribuito|pubblicato|deployato|in produzione|rilasciato"},
	{mNeg, "nulla|mai|neppure|nemmeno|non|senza|nessun|nessuna|nessuno|niente|saltato|saltati"},
	{mCond, "quando|finché|prima|dopo|appena|qualora"},
	{mHedge, "dovrebbe|dovrebbero|deve|può|potrebbe|bisogna|sarà"},
	{mAll, "tutto|tutti|tutte|tutta"},
	{mSplit, "ed|ma|però|mentre|perché|quindi"},
	{mOffer, "vuoi che|se vuoi|fammi sapere|desideri|posso anche"},
	{mGreeting, "fatto|perfetto|certo|ciao|grazie|prego|ottimo|capito|ecco"},
	{mAskVerb, "correggi|aggiungi|sistema|spiega|perché|come|crea|scrivi|rimuovi|aggiorna|cambia|controlla|implementa|rinomina|esegui|mostra|voglio|aiutami"},
	{mStrip, "per favore|ciao|ora|adesso|grazie|ok|perfetto"},

	// German.
	{mTest, "test|tests|testsuite|testfälle|komponententests|testlauf"},
	{mBuild, "build|kompilierung|typprüfung"},
	{mPass, "bestehen|besteht|bestanden|grün|erfolgreich|laufen durch|läuft durch|durchgelaufen|durchlaufen|fehlerfrei|sauber"},
	{mFail, "schlägt fehl|schlagen fehl|fehlgeschlagen|fehlschlägt|fehlschlagen|scheitert|scheitern|gescheitert|rot|kaputt|fehler|schlug fehl|schlugen fehl"},
	{mBuildPass, "kompiliert"},
	{mVerified, "verifiziert|getestet|geprüft|überprüft|validiert|funktioniert jetzt|funktioniert korrekt|funktioniert wie erwartet|alles funktioniert|funktioniert nun|läuft jetzt"},
	{mVerifyWeak, "prüfen|verifizieren|testen|ungetestet"},
	{mEdited, "behoben|hinzugefügt|implementiert|aktualisiert|geändert|entfernt|umbenannt|erstellt|geschrieben|umgeschrieben|ersetzt|verschoben|extrahiert|refaktoriert|korrigiert|gelöst|ergänzt|angepasst|eingebaut|umgestellt|repariert|gelöscht|eingeführt|vereinfacht|angelegt|aufgeteilt|umgesetzt"},
	{mRan, "ausgeführt|gestartet|laufen lassen"},
	{mRanWeak, "liefen|lief|ausführen|starten|übersprungen|ausgelassen"},
	{mCommitted, "committet|committed|commitet|eingecheckt|commit erstellt|commit angelegt|commit gemacht|einen commit erstellt|den commit erstellt"},
	{mCommitWeak, "committen|einchecken"},
	{mPushed, "gepusht|gepushed|hochgeladen"},
	{mPushWeak, "pushen"},
	{mMerged, "gemergt|gemerged|zusammengeführt"},
	{mPR, "pr erstellt|pr geöffnet|pull request erstellt|pull request geöffnet|pr eröffnet|pull-request erstellt"},
	{mDeployed, "deployt|deployed|ausgerollt|veröffentlicht|ausgeliefert|live geschaltet|ist live|ist jetzt live|ist nun live|in produktion|bereitgestellt"},
	{mDeployWeak, "deployen|ausrollen|veröffentlichen"},
	{mNeg, "niemand|nicht|kein|keine|keinen|keiner|keinem|ohne|nie|niemals|weder|noch nicht|konnte nicht|übersprungen|ausgelassen|ungetestet|uncommittet|nichts|ausstehend|wartet|null|statt"},
	{mCond, "wenn|falls|sobald|bis|damit|bevor|nachdem|sofern"},
	{mHedge, "sollte|sollten|soll|sollen|kann|können|könnte|muss|müssen|müsste|wird|werden|würde|dürfte|zu"},
	{mAll, "alle|alles|sämtliche|ganze|komplett|vollständig|allen"},
	{mSplit, "und|aber|jedoch|während|obwohl|doch|sondern|sowie|dann|weil|daher"},
	{mPreamble, "ich werde|lass mich|lassen sie mich|zuerst|ich schaue|ich prüfe|schauen wir|ich sehe|zunächst|als nächstes|jetzt werde|nun|ich beginne|ich muss|dann schaue"},
	{mOffer, "möchtest du|möchten sie|soll ich|sag bescheid|sagen sie bescheid|falls du|wenn du möchtest|wenn sie möchten|gib bescheid|lass mich wissen|lassen sie mich wissen|gerne kann|willst du|kann ich noch|wünschst du"},
	{mGreeting, "fertig|erledigt|perfekt|klar|hallo|danke|gern geschehen|gerne|super|verstanden|natürlich|okay|ausgezeichnet|sehr gut|alles klar|sicher|gut|entschuldigung|prima"},
	{mSummary, "hier ist|hier sind|zusammenfassung|zusammengefasst|die änderungen|folgende|im folgenden|änderungen|was ich"},
	{mNext, "nächste schritte|nächster schritt|du kannst jetzt|du kannst|sie können|zum ausführen|zum testen|als nächstes|denk daran"},
	{mResult, "deshalb|daher|ursache|die ursache|das problem|das problem war|jetzt|nicht mehr|ergebnis|lag an|liegt an|weil|somit|dadurch|stellte sich|empfehle|grund"},
	{mAskVerb, "füge|behebe|korrigiere|erstelle|erkläre|warum|wie|was|wo|welche|schreibe|schreib|entferne|aktualisiere|ändere|prüfe|implementiere|benenne|refaktoriere|führe|zeige|zeig|mach|mache|finde|ergänze|ich möchte|ich brauche|lösche|teste|baue|übersetze|verschiebe|ersetze|repariere|vergleiche|beschreibe|fix"},
	{mStrip, "bitte|hallo|hi|jetzt|und|ok|okay|danke|nun|gut|super|dann|ja|guten morgen|als nächstes|perfekt|moin"},

	// Questions that ask for work stay whole; they open a request all the same.
	{mAskVerb, "kannst du|könntest du|können sie|könnten sie|würdest du|puedes|podrías|puede|podría|me puedes|você pode|pode|poderia|você poderia|puoi|potresti|può|mi puoi|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|можешь|можете|не мог бы ты|kun je|kunt u|zou je|czy możesz|możesz|czy mógłbyś"},

	// Dutch.
	{mPass, "slagen|geslaagd|slaagt"},
	{mFail, "faalt|falen|gefaald|mislukt"},
	{mVerified, "geverifieerd|gecontroleerd|werkt nu|werkt correct"},
	{mEdited, "opgelost|toegevoegd|geïmplementeerd|bijgewerkt|gewijzigd|verwijderd|hernoemd|aangemaakt|geschreven|vervangen|verplaatst|aangepast"},
	{mRan, "uitgevoerd|gedraaid"},
	{mCommitted, "gecommit|commit gemaakt"},
	{mDeployed, "gedeployed|uitgerold|gepubliceerd"},
	{mNeg, "niets|niemand|niet|geen|zonder|nooit|nog niet|overgeslagen"},
	{mCond, "zodra|totdat|als|indien"},
	{mHedge, "zou|moet|moeten|kunnen|zal"},
	{mAll, "alles|alle|allemaal"},
	{mSplit, "maar|terwijl|omdat"},
	{mOffer, "wil je dat|wilt u|laat het me weten|laat me weten"},
	{mGreeting, "klaar|gedaan|dank je|bedankt|prima|natuurlijk|begrepen"},
	{mAskVerb, "voeg|repareer|maak|leg|waarom|hoe|schrijf|verwijder|werk|controleer|hernoem|wijzig|toon|zoek|los"},
	{mStrip, "alsjeblieft|hoi|nu|bedankt|graag"},

	// French.
	{mTest, "test|tests|essais"},
	{mBuild, "compilation"},
	{mPass, "passe|passent|passé|passés|passées|réussi|réussis|réussissent|réussit|vert|verts|succès|validés"},
	{mFail, "échoue|échouent|échoué|échouaient|échec|échecs|cassé|cassés|rouge|erreurs|ont échoué|a échoué"},
	{mVerified, "vérifié|vérifiée|vérifiés|testé|testée|testés|validé|validée|fonctionne correctement|fonctionne maintenant|fonctionne bien|marche maintenant|tout fonctionne|fonctionne désormais"},
	{mVerifyWeak, "vérifier|tester"},
	{mEdited, "corrigé|corrigée|corrigés|ajouté|ajoutée|ajoutés|implémenté|implémentée|mis à jour|mise à jour|modifié|modifiée|changé|supprimé|supprimée|renommé|renommée|créé|créée|écrit|réécrit|remplacé|remplacée|déplacé|extrait|refactorisé|résolu|résolue|retiré|migré|adapté|simplifié|introduit|réparé|découpé"},
	{mRan, "exécuté|exécutée|exécutés|lancé|lancée|lancés"},
	{mRanWeak, "exécuter|lancer|sauté|ignorés"},
	{mCommitted, "commité|committé|commitée|commités|commitées|commit créé|commit effectué|commit fait|créé le commit|créé un commit|fait le commit|fait un commit|commit est fait|validé les changements"},
	{mCommitWeak, "commiter|committer"},
	{mPushed, "poussé|poussée|poussés|poussées|pushé|pushée|pushés|fait un push|fait le push|envoyé sur origin|envoyé sur le dépôt"},
	{mPushWeak, "pousser|pusher"},
	{mMerged, "fusionné|fusionnée|mergé|mergée"},
	{mPR, "pr créée|pr ouverte|ouvert la pr|ouvert une pr|créé la pr|créé une pr|ouvert une pull request|créé une pull request"},
	{mDeployed, "déployé|déployée|déployés|déployées|publié|publiée|publiés|en production|en prod|mis en ligne|mise en ligne|mis en production|déploiement terminé|déploiement réussi"},
	{mDeployWeak, "déployer|déploiement|publier"},
	{mNeg, "ne|n'*|pas|aucun|aucune|sans|jamais|rien|impossible|ni|pas encore|sauté|ignoré|ignorés|en attente|attend|n'ai|n'a|n'ont|n'est|n'était|n'étaient|n'ont|zéro"},
	{mCond, "si|quand|lorsque|dès que|jusqu'à|pour que|avant|après|une fois|afin"},
	{mHedge, "devrait|devraient|doit|doivent|peut|peuvent|pourrait|faut|sera|seront|vais|va|pouvez|peux"},
	{mAll, "tout|tous|toute|toutes|entière|complète"},
	{mSplit, "parce que|parce qu|parce|puisque|lorsque|et|mais|cependant|tandis|pourtant|puis|ensuite|car|donc"},
	{mPreamble, "je vais|laissez-moi|laisse-moi|d'abord|commençons|regardons|voyons|je commence|tout d'abord|maintenant je|je regarde|premièrement"},
	{mOffer, "voulez-vous|souhaitez-vous|veux-tu|si vous voulez|si tu veux|n'hésitez pas|n'hésite pas|dites-moi|dis-moi|faites-moi savoir|je peux aussi|si besoin|souhaites-tu|tu veux que|vous voulez que"},
	{mGreeting, "terminé|parfait|bien sûr|bonjour|merci|de rien|excellent|compris|entendu|d'accord|c'est fait|voilà|très bien|super|fait|désolé|salut|oui"},
	{mSummary, "voici|résumé|en résumé|ci-dessous|les changements|les modifications|récapitulatif|modifications apportées"},
	{mNext, "prochaines étapes|prochaine étape|vous pouvez|tu peux|pour exécuter|pour lancer|pour tester|exécutez|lancez|pensez à"},
	{mResult, "donc|la cause|le problème|le problème venait|maintenant|désormais|ne plus|n'est plus|résultat|parce que|en raison|ainsi|vient de|c'est pourquoi|recommande|il s'avère|était dû"},
	{mAskVerb, "ajoute|ajoutez|corrige|corrigez|explique|expliquez|pourquoi|comment|quel|quelle|où|crée|créez|écris|écrivez|supprime|supprimez|modifie|modifiez|vérifie|vérifiez|implémente|renomme|refactorise|lance|montre|fais|faites|trouve|mets|change|je veux|j'ai besoin|aide-moi|peux-tu|pouvez-vous|répare|remplace|déplace|analyse|améliore|traduis|compare"},
	{mStrip, "s'il te plaît|s'il vous plaît|stp|svp|bonjour|salut|maintenant|et|ok|merci|alors|bon|oui|parfait|ensuite|d'accord|très bien"},

	// Polish.
	{mTest, "test|testy|testów|testach"},
	{mPass, "przechodzą|przechodzi|przeszły|przeszedł|zielone|pomyślnie|zaliczone"},
	{mFail, "nie przechodzi|nie przechodzą|nie przeszły|padają|błędy|nieudane|zepsute"},
	{mVerified, "zweryfikowano|zweryfikowałem|przetestowano|przetestowałem|sprawdzone|działa poprawnie|teraz działa|wszystko działa"},
	{mEdited, "naprawiłem|naprawiono|dodałem|dodano|zaimplementowałem|zaktualizowałem|zaktualizowano|zmieniłem|zmieniono|usunąłem|usunięto|utworzyłem|utworzono|napisałem|przeniosłem|zastąpiłem|poprawiłem|poprawiono"},
	{mRan, "uruchomiłem|uruchomiono|wykonano"},
	{mCommitted, "zacommitowano|zacommitowałem|zacommitowane|utworzyłem commit|commit utworzony|zatwierdziłem zmiany|zatwierdzono zmiany"},
	{mPushed, "wypchnąłem|wypchnięto|wypchnięte|spushowałem|wysłałem do repozytorium"},
	{mDeployed, "wdrożono|wdrożyłem|wdrożone|opublikowano|opublikowałem"},
	{mNeg, "nic|nikt|nie|bez|nigdy|żaden|żadne|pominięto|brak"},
	{mCond, "jeśli|gdy|dopóki|zanim|aby|po tym"},
	{mHedge, "powinien|powinna|powinny|powinno|może|mogą|trzeba|należy|będzie"},
	{mAll, "wszystko|wszystkie|wszystkich|cały"},
	{mSplit, "oraz|ale|jednak|więc"},
	{mOffer, "czy chcesz|daj znać|jeśli chcesz|mogę też"},
	{mGreeting, "gotowe|zrobione|świetnie|jasne|cześć|dziękuję|proszę|rozumiem|oczywiście"},
	{mAskVerb, "dodaj|napraw|popraw|wyjaśnij|dlaczego|jak|co|gdzie|napisz|usuń|zmień|sprawdź|zaimplementuj|utwórz|znajdź|pokaż|uruchom|zaktualizuj|zrób|przenieś"},
	{mStrip, "proszę|cześć|teraz|dzięki|dobra"},

	// Turkish.
	{mTest, "test|testler|testleri|testlerin"},
	{mPass, "geçti|geçiyor|geçtiler|başarılı|başarıyla|yeşil"},
	{mFail, "başarısız|kaldı|patladı|hata|hatalar|geçmedi|geçmiyor|geçemedi"},
	{mVerified, "doğrulandı|doğruladım|test edildi|test ettim|doğru çalışıyor|artık çalışıyor|düzgün çalışıyor"},
	{mEdited, "düzelttim|düzeltildi|ekledim|eklendi|uyguladım|uygulandı|güncelledim|güncellendi|değiştirdim|değiştirildi|kaldırdım|kaldırıldı|sildim|silindi|oluşturdum|oluşturuldu|yazdım|yazıldı|taşıdım|çözdüm|çözüldü"},
	{mRan, "çalıştırdım|çalıştırıldı"},
	{mCommitted, "commitledim|commitlendi|commit ettim|commit edildi|commit attım|commit oluşturdum|commit oluşturuldu"},
	{mPushed, "pushladım|pushlandı|push ettim|push edildi|gönderildi"},
	{mDeployed, "dağıtıldı|yayınlandı|yayınladım|deploy edildi|deploy ettim|canlıya alındı|canlıda"},
	{mNeg, "commitlenmedi|pushlanmadı|çalıştırılmamış|edilmemiş|değişmedi|değil|henüz|olmadan|yok|hiçbir|edilmedi|etmedim|çalıştırılmadı|çalıştırmadım|yapılmadı|atlandı"},
	{mCond, "eğer|olursa|zaman|önce|sonra"},
	{mHedge, "olmalı|gerekiyor|gerek|edebilir|olabilir|lazım"},
	{mAll, "tüm|bütün|hepsi|her"},
	{mSplit, "ve|ama|fakat|ancak"},
	{mOffer, "ister misiniz|ister misin|haber verin|isterseniz|bana bildirin"},
	{mGreeting, "tamam|tamamlandı|harika|elbette|merhaba|teşekkürler|rica ederim|anladım|bitti|mükemmel|hazır"},
	{mAskVerb, "ekle|düzelt|açıkla|neden|nasıl|yaz|sil|değiştir|kontrol|oluştur|bul|göster|çalıştır|güncelle|yap|kaldır|taşı|ne"},
	{mStrip, "lütfen|merhaba|şimdi|teşekkürler|tamam"},
}
