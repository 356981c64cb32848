package redact

import (
	"slices"
	"strings"
	"unicode"
)

// acceptProse reports whether a word that follows "the password is" is one: it
// mixes letters with digits or signs. Of a field all else will do, if it is no
// word of code.
func acceptProse(s string, field bool) bool {
	if len(s) < 6 || placeholder(s) || filler(s) || codeLike(s) || strings.HasPrefix(s, "data:") || namedID(s) || isUUID(s) || identifier(s) && longestConsonants(s) < 6 || named(s) || standsFor(s) {
		return false
	}
	letters := upper(s) || lower(s)
	if !letters || technical(s) {
		return false
	}
	inner := s[1 : len(s)-1]
	switch {
	case digit(s):
		return !measure(s)
	case has(inner, func(c byte) bool { return strings.IndexByte("!#$%^&*~", c) >= 0 }):
		return true
	case has(inner, func(c byte) bool { return c == '@' }):
		return !strings.Contains(s, ".")
	}
	return looksRandom(s) && (field || len(s) >= 8)
}

// acceptPiece reports whether something in a key that was cut off early is
// random.
func acceptPiece(s string) bool {
	for _, p := range pieces(s) {
		if len(p) >= 7 && digit(p) && upper(p) && lower(p) && randomPiece(p) {
			return !filler(s) && !placeholder(s)
		}
	}
	return false
}

// acceptArgument reports whether the argument of an option for passwords is one.
func acceptArgument(s string) bool {
	if len(s) < 4 || placeholder(s) || filler(s) || s[0] == '-' || standsFor(s) || strings.Contains(s, "://") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") {
		return false
	}
	return upper(s) || lower(s) || len(s) >= 6 && !strings.Contains(s, ":")
}

// standsFor reports the names that stand for a password in a manual.
func standsFor(s string) bool {
	switch strings.ToLower(strings.Trim(s, `"'<>[]{}`)) {
	case "password", "pass", "pwd", "passwd", "secret", "token", "pw", "user", "username", "mypassword", "passphrase", "userpassword", "none", "null", "true", "false", "string":
		return true
	}
	return false
}

// acceptWord reports whether a word that a sentence quotes as the password may
// be one: it says nothing about passwords.
func acceptWord(s string) bool {
	l := strings.ToLower(s)
	if standsFor(l) || filler(l) || placeholder(l) {
		return false
	}
	for _, end := range [...]string{"ed", "ing", "able", "ible"} {
		if strings.HasSuffix(l, end) {
			return false
		}
	}
	return !slices.Contains(aboutPasswords[:], l)
}

// acceptBareWords reports whether words that stand without quotes behind "the
// password is" may be one: none says anything about passwords, and the last has
// not the end of an adjective, a participle or an adverb.
func acceptBareWords(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 {
		return false
	}
	for _, w := range words {
		l := strings.ToLower(w)
		if aboutPassword(l) {
			return false
		}
	}
	if mixedCase(words[0]) {
		return false // a name of code
	}
	last := strings.ToLower(words[len(words)-1])
	for _, end := range adjectiveEnds {
		if len(last) > len(end)+2 && strings.HasSuffix(last, end) {
			return false
		}
	}
	return true
}

// aboutPassword reports what a sentence says of a password, and what stands for
// one.
func aboutPassword(w string) bool {
	return standsFor(w) || filler(w) || placeholder(w) || slices.Contains(aboutPasswords[:], w) || slices.Contains(aroundPasswords[:], w)
}

// mixedCase reports a capital behind a small letter: userPassword.
func mixedCase(w string) bool {
	small := false
	for _, r := range w {
		switch {
		case unicode.IsUpper(r) && small:
			return true
		case unicode.IsLower(r):
			small = true
		}
	}
	return false
}

// adjectiveEnds are those of adjectives, participles and adverbs in the
// languages of the sentences that are read.
var adjectiveEnds = [...]string{
	"ed", "ing", "able", "ible", "ly", "ous", "ive", "less", "ful", "ory", "ent", "ant", "tten", "own", "fect", "rect", "ical", "uired",
	"bar", "lich", "haft", "ig", "isch", "los", "iert", "ert", "ern", "ben", "den", "gen", "fen", "ten", "tzt", "cht", "lt", "igt",
	"é", "ée", "és", "ées", "oire", "aire", "ique", "eux", "if", "ide", "ite", "ait", "ié",
	"ado", "ada", "ido", "ida", "ados", "idas", "orio", "oria", "ória", "ário", "ária", "ivo", "iva", "ente", "ante", "ável", "ível", "cto", "cta",
	"ato", "ata", "ito", "ita", "uto", "uta", "ibile", "abile", "ible", "ario", "aria", "etto", "etta",
	"ane", "any", "ana", "one", "ony", "eny", "ena", "ene",
}

// aroundPasswords are words that begin or end what a sentence says of one.
var aroundPasswords = [...]string{
	"your", "their", "this", "that", "these", "what", "which", "when", "where", "with", "from", "into", "only", "also", "still", "then", "than", "just", "very", "must", "should", "will", "would", "could", "have", "been", "being", "never", "always", "often", "ever", "even", "some", "somewhere", "anything", "something", "nothing", "everything",
	"sent", "kept", "read", "lost", "gone", "held", "used", "fine", "good", "okay", "known", "part", "case", "null", "none", "bytes", "string", "number", "field", "required", "optional", "input", "value", "column", "label", "error", "errors", "session", "sessions", "cookie", "tokens", "config", "validation", "authentication", "authorization", "encryption", "policy", "manager", "strength", "prompt", "the", "for", "and", "but", "not", "too", "one", "now",
	"text", "varchar", "varying", "boolean", "integer", "object", "array", "undefined", "secretstr", "charfield", "unknown", "redacted", "censored", "private", "protected", "public", "default", "enabled", "disabled", "available", "unchanged", "different", "identical", "secure", "insecure", "unsafe", "visible", "invisible", "readable", "unreadable", "outdated", "obsolete", "temporary", "permanent",
	"noch", "nicht", "jetzt", "nun", "auch", "schon", "sehr", "immer", "nie", "dein", "mein", "unser", "eine", "einen", "wieder", "dort", "hier", "gleich", "anders", "sicher", "unsicher", "kein", "keine", "dasselbe", "derselbe", "onjuist", "wymagane", "onjuiste", "verplicht", "gesperrt", "bekannt", "unbekannt", "sichtbar", "weg", "drin",
	"pour", "dans", "avec", "sans", "trop", "très", "aussi", "toujours", "encore", "jamais", "mauvais", "correct", "incorrect", "incorrecte", "correcte", "bonne", "fausse", "faux", "inconnu", "court", "long", "juste",
	"para", "pero", "como", "muy", "solo", "siempre", "nunca", "demasiado", "corto", "corta", "larga", "fuerte", "mala", "buena", "igual", "distinta", "nueva", "nuevo", "segura", "seguro", "muito", "sempre", "errada", "curta", "forte", "nova", "igual", "troppo", "molto", "sempre", "corta", "debole", "sicura", "nuova", "giusta",
}

// aboutPasswords are what is said of passwords, and their names.
var aboutPasswords = [...]string{
	"wrong", "invalid", "valid", "correct", "incorrect", "missing", "empty", "blank", "weak", "strong", "hidden", "optional", "mandatory", "unknown", "plain", "plaintext", "text", "same", "undefined", "here", "there", "unset", "reset", "short", "long", "safe", "changeme", "bcrypt", "argon", "scrypt", "hash", "base",
	"неверный", "неверен", "верный", "верен", "неправильный", "обязательный", "обязателен", "пустой", "пуст", "слабый", "скрыт", "задан", "изменён", "изменен", "сброшен", "нужен", "строка", "пароль",
	"falsch", "richtig", "leer", "erforderlich", "pflicht", "schwach", "ungültig", "geheim", "abgelaufen", "notwendig", "passwort", "kennwort",
	"incorrecta", "correcta", "obligatoria", "vacía", "débil", "inválida", "secreta", "requerida", "contraseña", "clave",
	"obligatoire", "requis", "vide", "faible", "invalide", "expiré", "obligatória", "vazia", "fraca", "senha", "errata", "obbligatoria", "wachtwoord", "hasło", "heslo",
	"必填字段", "不能为空", "無効です", "必須です", "必須項目", "パスワード", "비밀번호", "필수입니다",
}

// measure reports a number with its unit, and an ordinal: 8characters, 12-char.
func measure(s string) bool {
	rest := strings.TrimLeft(s, digitChars)
	if rest == s {
		return false
	}
	rest = strings.TrimLeft(rest, "-+.")
	return all(rest, isLower) && !randomPiece(rest) && len(s)-len(rest) <= 5
}

// technical reports the names of algorithms, encodings, versions and files that
// mix letters with digits.
func technical(s string) bool {
	l := strings.ToLower(s)
	for _, p := range []string{
		"sha1", "sha2", "sha3", "sha5", "sha-", "md5", "base64", "base32", "base58", "argon2", "pbkdf2", "utf-8", "utf8", "utf-16", "utf16", "oauth", "http2", "http1", "aes1", "aes2", "aes-", "x509", "ed25519", "rsa-", "rsa2", "rsa4",
		"pkcs", "hmac", "totp", "web3", "es20", "python2", "python3", "iso-", "iso8", "latin1", "rfc", "tls1", "i18n", "k8s", "win32", "blake", "bcrypt", "scrypt", "ipv4", "ipv6", "mysql", "v1", "v2", "v3", "v4", "v5",
	} {
		if rest, ok := strings.CutPrefix(l, p); ok && len(rest) <= 8 && !randomPiece(rest) && all(rest, func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' }) {
			return true
		}
	}
	if strings.Contains(s, "/") && !strong(s) {
		return true
	}
	if i := strings.LastIndexByte(s, '.'); i > 0 && len(s)-i <= 6 && all(s[i+1:], isLower) {
		return !has(s, func(c byte) bool { return strings.IndexByte("!@#$%^&*+=?~", c) >= 0 })
	}
	return false
}

// proseTable are the rules that need words around a secret: fields, commands,
// queries and sentences of many languages.
var proseTable = [...]Rule{
	{
		ID: "partial-key", Keywords: []string{
			"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-ant-", "sk-or-", "sk-proj-", "sk-svcacct-", "aiza", "gocspx-", "hf_", "gsk_", "xai-", "r8_", "pplx-", "nvapi-",
			"xoxb-", "xoxp-", "sk_live_", "sk_test_", "rk_live_", "whsec_", "sg.", "npm_", "pypi-", "dckr_pat_", "dop_v1_", "hvs.", "sntrys_", "lin_api_", "ntn_", "figd_", "glsa_", "atatt3",
		},
		lead: leadStrict, check: checkPartial,
		Pattern: `^(?i:gh[pousr]_|github_pat_|glpat-|sk-(?:ant|or|proj|svcacct)-|AIza|GOCSPX-|hf_|gsk_|xai-|r8_|pplx-|nvapi-|xox[bp]-|[sr]k_(?:live|test)_|whsec_|SG\.|npm_|pypi-|dckr_pat_|dop_v1_|hvs\.|sntrys_|lin_api_|ntn_|figd_|glsa_|ATATT3)[A-Za-z0-9_-]{14,}`,
		Note:    "the start of a key that was cut off: the prefix and what only a key is made of",
	},

	{
		ID: "partial-key", Keywords: []string{"ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-ant-", "sk-or-", "sk-proj-", "xoxb-", "xoxp-", "sk_live_", "rk_live_"},
		lead: leadStrict, check: checkPiece,
		Pattern: `^(?i:gh[pos]_|github_pat_|glpat-|sk-(?:ant|or|proj)-|xox[bp]-|[sr]k_live_)[A-Za-z0-9_-]{7,}`,
		Note:    "less of it, where the prefix can be nothing else",
	},

	{
		ID: "encoded-key", Keywords: []string{"z2hwx", "z2l0ahvix3bhdf", "z2xwyxqt", "c2styw50l", "c2stchjvai", "c2stb3it", "qutjq", "eg94yi", "c2tfbgl2zv", "bnbtx", "ls0tls1crudjtibsu0egufjjvkf", "ls0tls1crudjtibquklwqvrf", "ls0tls1crudjtibfqybquklw", "ls0tls1crudjtibpuevou1ni"},
		lead: leadStrict, reach: 8 << 10, check: checkMixed,
		Pattern: `^(?:Z2hwX|Z2l0aHViX3BhdF|Z2xwYXQt|c2stYW50L|c2stcHJvai|c2stb3It|QUtJQ|eG94Yi|c2tfbGl2ZV|bnBtX|LS0tLS1CRUdJTiB(?:SU0EgUFJJVkF|QUklWQVRF|FQyBQUklW|PUEVOU1NI))[A-Za-z0-9+/_-]{22,}={0,2}`,
		Note:    "keys of a fixed prefix and private key blocks in base64",
	},

	{
		ID: "encoded-key", Keywords: []string{"4b3hil", "4b3hwl", "5wbv", "bs0lb", "bsxph", "fjem", "flsu", "nrlw9yl", "nrlwfudc", "nrlxbyb2ot", "nrx2xpdmvf", "qul6y", "qutjq", "z2h1x", "z2hvx", "z2hwx", "z2hzx", "z2l0ahvix3bhdf", "z2xwyxqt", "bnbtx", "c2styw50l", "c2stb3it", "c2stchjvai", "c2tfbgl2zv", "dob1", "doc1", "docf", "dodv", "dpdgh1yl9wyxrf", "dscgf0l", "eg94yi", "eg94cc", "hvegit", "hvehat", "nag9f", "nahbf", "nahnf", "nahvf", "naxrodwjfcgf0x", "nbhbhdc", "ucg1f", "za19saxzlx", "zay1hbnqt", "zay1vci", "zay1wcm9ql"},
		lead: leadAny, reach: 8 << 10, check: checkEncoded,
		Pattern: `^(?:4b3hiL|4b3hwL|5wbV|BS0lB|BSXph|FJem|FLSU|NrLW9yL|NrLWFudC|NrLXByb2ot|NrX2xpdmVf|QUl6Y|QUtJQ|Z2h1X|Z2hvX|Z2hwX|Z2hzX|Z2l0aHViX3BhdF|Z2xwYXQt|bnBtX|c2stYW50L|c2stb3It|c2stcHJvai|c2tfbGl2ZV|dob1|doc1|docF|dodV|dpdGh1Yl9wYXRf|dscGF0L|eG94Yi|eG94cC|hveGIt|hveHAt|naG9f|naHBf|naHNf|naHVf|naXRodWJfcGF0X|nbHBhdC|ucG1f|za19saXZlX|zay1hbnQt|zay1vci|zay1wcm9qL)[A-Za-z0-9+/_-]{22,}={0,2}`,
		Note:    "keys of a fixed prefix inside base64, at each of the three places where one may begin",
	},
	{
		ID: "encoded-key", Keywords: []string{"6768705f", "67686f5f", "6768735f", "6768755f", "6769746875625f7061745f", "676c7061742d", "736b2d616e742d", "736b2d70726f6a2d", "736b2d6f722d", "414b4941", "786f78622d", "786f78702d", "736b5f6c6976655f", "6e706d5f", "41497a61"},
		lead: leadAny, reach: 4 << 10, check: checkNone,
		Pattern: `^(?i:6768705f|67686f5f|6768735f|6768755f|6769746875625f7061745f|676c7061742d|736b2d616e742d|736b2d70726f6a2d|736b2d6f722d|414b4941|786f78622d|786f78702d|736b5f6c6976655f|6e706d5f|41497a61)(?i:3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|2d){16,}`,
		Note:    "the same in hexadecimal",
	},

	{
		ID: "command-password", Keywords: []string{"-u", "--user", "--proxy-user"}, near: []string{"curl", "wget", "http ", "https "}, check: checkArgument,
		Pattern: `^(?:-u|-U|--user|--proxy-user)[ =]?["']?[^\s:"'\x00-]+:([^\s"'\x00]{4,})`, Note: "user:password as an argument of curl",
	},
	{
		ID: "command-password", Keywords: []string{"-p"}, near: []string{"mysql", "mariadb", "7z ", "7za "}, not: []string{"-"}, check: checkArgument,
		Pattern: `^-p["']?([^\s"'\x00]{4,})`, Note: "a password right after the option, as MySQL's programs take it",
	},
	{
		ID: "command-password", Keywords: []string{"-p"}, near: []string{"sshpass"}, not: []string{"-"}, check: checkArgument,
		Pattern: `^-p ?["']?([^\s"'\x00]{4,})`, Note: "passwords of sshpass",
	},
	{
		ID: "command-password", Keywords: []string{"-p ", "-p=", "-a ", "-w ", "--pass ", "--password "}, check: checkArgument, not: []string{"-"},
		near:    []string{"twine ", "docker login", "podman login", "nerdctl login", "buildah login", "skopeo login", "registry login", "oc login", "az login", "redis-cli", "ldapsearch", "ldapmodify", "ldapadd", "mongosh", "mongo ", "mongodump", "mongorestore", "sqlcmd"},
		Pattern: `^(?:-[paPw][ =]|--pass(?:word)? )["']?([^\s"'\x00]{4,})`, Note: "passwords as arguments of other well-known commands",
	},
	{
		ID: "command-password", Keywords: []string{"pass:"}, near: []string{"openssl", "keytool"}, check: checkArgument,
		Pattern: `^pass:["']?([^\s"'\x00]{4,})`, Note: "pass phrases as arguments of OpenSSL",
	},

	{
		ID: "url-signature", Keywords: []string{"signature=", "signature%3d", "x-amz-credential="}, lead: leadAny, reach: 1400, check: checkMixed,
		Pattern: `^(?i:signature|x-amz-credential)(?:=|%3[Dd])((?:[A-Za-z0-9+/_~.=-]|%[0-9A-Fa-f]{2}){16,})`, Note: "signed URLs of S3, Google Cloud, CloudFront and others",
	},
	{
		ID: "url-token", Keywords: []string{"token=", "sig=", "auth=", "key=", "secret=", "jwt=", "ticket=", "code=", "hmac="}, lead: leadAny, reach: 2048, check: checkQuery, back: backQuery, least: 1,
		Pattern: `^[?&#](?i:[a-z_-]{0,24}?(?:token|sig|auth|key|code|secret|jwt|ticket|hmac))=((?:[A-Za-z0-9+/_~.=-]|%[0-9A-Fa-f]{2}){12,})`, Note: "tokens in the query of a URL",
	},

	{
		ID: "secret-setting", Keywords: []string{"_key", "_salt"}, lead: leadAny, reach: 96, check: checkSetting, value: true,
		not:     []string{"public", "primary", "foreign", "sort", "partition", "cache", "idempotency", "object", "s3", "index", "map", "row", "unique", "group", "hash", "range", "shard", "routing", "lookup", "dict", "storage_object", "event", "message", "dedupe", "issue", "project", "translation", "i18n", "react", "query", "session", "sub"},
		Pattern: `^(?i:_key|_salt)` + suffix + "(?:[\"'`\\]\\\\])*\\s{0,2}(?::=|=|:|：)\\s{0,2}", Note: "settings whose name ends with _KEY and whose value looks random",
	},
	{
		ID: "password-setting", Keywords: []string{"_pass", "-pass"}, lead: leadAny, reach: 96, check: checkPassword, value: true,
		not:     []string{"first", "second", "third", "one", "two", "multi", "single", "render", "test", "tests", "by", "fast", "last", "next", "forward", "backward"},
		Pattern: `^(?i:[_-]pass)(?:[_-]?\d)?` + "(?:[\"'`\\]\\\\])*(?:\\s{0,2}(?::=|=|:|：)\\s{0,2}|\\s{1,2})", Note: "settings and flags whose name ends with _PASS",
	},
	{
		ID: "password-setting", Keywords: []string{"pass\"", "pass'", "pass\\"}, lead: leadWord, reach: 96, check: checkPassword, value: true,
		Pattern: "^(?i:pass)\\\\*[\"'] ?(?::|=>|=) ?", Note: "the field pass of JSON, PHP and Python",
	},
	{
		ID: "password-setting", Keywords: []string{"pass", "pw"}, not: []string{"_", "-"}, lead: leadWord, reach: 96, check: checkPlain, value: true,
		Pattern: `^(?:(?:pass|Pass|pw|PW)(?: ?: | ?= ?|:)|PASS=)`, Note: "the field pass of YAML, of a shell and of notes",
	},
	{
		ID: "password-setting", Keywords: []string{"pass ", "pw ", "pwd "}, lead: leadWord, reach: 96, check: checkPlain, value: true, prose: true,
		near:    []string{"user", "User", "login", "Login", "log in", "account", "email", "usr"},
		Pattern: `^(?i:pass|pwd?)\s{1,2}(?:is )?`, Note: "a login in one breath: user and pass",
	},
	{
		ID: "password-setting", Keywords: []string{"pass>", "password>", "passwd>", "passphrase>", "passwort>", "pwd>", "secret>", "token>", "apikey>", "api_key>", "api-key>", "senha>", "password ", "pass ", "secret ", "token "},
		lead: leadAny, back: backTag, least: 1, reach: 160, check: checkArgument, must: []string{"</"},
		Pattern: `^<(?:[A-Za-z]{1,12}:)?(?i:[a-z_.-]{0,16}(?:pass(?:word|wd|phrase|wort)?|pwd|secret|token|api_?-?key|contraseña|senha))(?:\s[^<>\x00]{0,60})?>([^<>\s\x00]{4,})</`, Note: "elements of XML",
	},
	{
		ID: "password-setting", Keywords: passwordWords, lead: leadAny, reach: 160, check: checkProse, value: true, prose: true,
		Pattern: `^(?i:` + passwordNames + `)` + ending + `(?: (?:for|of|to|von|für|de|du|del|da|do|para|pour|per|voor|dla|для|от|к) [^\s\x00]{1,40}(?: [^\s\x00]{1,24}){0,2}?)?` + saysIs, Note: "a sentence that tells a password, in many languages",
	},
	{
		ID: "password-setting", Keywords: passwordWords, lead: leadAny, reach: 96, check: checkProse, value: true, prose: true,
		right: []string{
			"my ", "our ", "with ", "with the ", "use ", "using ", "mein ", "meinem ", "mit ", "dem ", "mon ", "avec ", "mi ", "con ", "la mia ", "minha ", "com ", "mijn ", "moje ", "mitt ",
			"мой ", "наш ", " с ", "под ", "мій ", "enter ",
		},
		Pattern: `^(?i:` + passwordNames + `)` + ending + `\s{1,2}`, Note: "my password, and the password",
	},

	{
		ID: "password-setting", Keywords: passwordWords, lead: leadAny, reach: 160, check: checkWord,
		Pattern: `^(?i:` + passwordNames + `)` + ending + `(?:` + isWord + "[\"'`“„«「『‘]{1,3}|" + isSign + "[“„«「『]" + `)(\p{L}{4,32})` + "[\"'`“”»」』’]", Note: "a password of letters alone, where the sentence quotes it",
	},

	{
		ID: "password-setting", Keywords: passwordWords, not: []string{"_", "-", ".", "\"", "'", "<"}, lead: leadWord, reach: 160, check: checkBareWord,
		Pattern: `^(?i:` + passwordNames + `)` + `(?: ?[:=：] ?)(\p{L}{8,32})(?:[,;!)]?(?:\s*\n|$)|[,;.] |\.?$)`, Note: "a password of letters alone behind its name, where the line or the clause ends with it",
	},
	{
		ID: "password-setting", Keywords: passwordWords, not: []string{"_", "-", "if "}, lead: leadWord, reach: 160, check: checkBareWord,
		Pattern: `^(?i:` + passwordNames + `)` + `\s(?:is|was|ist|war|lautet|est|es|è|é|jest)(?: now| jetzt| ahora| maintenant)?:?\s(\p{L}{4,32}(?: \p{L}{3,12}){0,3})(?:[,;!)]|\.?\s*\n|\.?$|\. | (?:and|but|und|aber|et|mais|pero|ma|mas) )`,
		Note:    "the password of a sentence, of letters alone, where the clause ends with it",
	},

	{
		ID: "one-time-code", Keywords: []string{"otp", "2fa", "mfa", "one-time", "one time", "verification code", "security code", "login code", "sms code", "access code", "authenticator", "pin", "backup code", "recovery code", "passcode", "confirmation code"}, reach: 96, check: checkCode,
		Pattern: `^(?i:t?otp|2fa|mfa|one[- ]time(?: pass(?:word|code)?)?|(?:verification|security|login|sms|access|backup|recovery|confirmation)|authenticator|passcode|pin)(?: ?(?:-|_)?(?:code|token|number|password|key|app))?s?["']?(?:\s{0,2}(?:[:=：]|is|was|ist|->|→)\s{0,2}|\s)["'` + "`" + `*]{0,3}(\d{3}[ -]\d{3}|\d{4,8})(?:[^\d.\w]|\.\D|\.?$)`, Note: "codes for one login, and PINs, after their names",
	},
	{
		ID: "one-time-code", Keywords: []string{"код", "Код", "bestätigungscode", "sicherheitscode", "einmalcode", "einmalpasswort", "code de v", "code de s", "código", "codigo", "codice", "验证码", "驗證碼", "校验码", "動態碼", "认证码", "認証コード", "確認コード", "ワンタイムパスワード", "인증번호", "인증 번호", "인증코드", "인증 코드", "doğrulama kodu", "mã xác", "kod weryf", "verificatiecode"},
		lead: leadAny, reach: 128, check: checkCode,
		Pattern: `^(?i:код(?: (?:подтверждения|доступа|из смс|безопасности|підтвердження))?|bestätigungscode|sicherheitscode|einmal(?:code|passwort)|code de (?:vérification|sécurité|validation)|c[óo]digo(?: de (?:verificaci[óo]n|verificação|verificacao|seguridad|segurança|confirmación|acceso|acesso))|codice(?: di (?:verifica|sicurezza|accesso)|segreto| otp)|验证码|驗證碼|校验码|動態碼|认证码|認証コード|確認コード|ワンタイムパスワード|인증 ?번호|인증 ?코드|doğrulama kodu|mã xác (?:nhận|thực|minh)|kod weryfikacyjny|verificatiecode)` +
			`(?:\s{0,2}(?:[:=：]|ist|est|es|è|é|is|jest|là|—|-|是|为|為|は|가|는|은)\s{0,2}|\s)["'` + "`" + `*「“]{0,4}(\d{3}[ -]\d{3}|\d{4,8})(?:[^\d.\w]|\.\D|\.?$)`, Note: "codes for one login, in other languages",
	},
}

// passwordWords are the keywords of passwordNames. The search folds the case of
// ASCII letters only.
var passwordWords = []string{
	"password", "passwd", "passphrase", "pass phrase", "passcode", "passwort", "kennwort", "contraseña", "clave", "mot de passe", "senha", "palavra-passe", "parola", "wachtwoord", "hasło", "heslo",
	"пароль", "Пароль", "ПАРОЛЬ", "пароля", "паролем", "şifre", "Şifre", "parola", "ật khẩu", "kata sandi", "lösenord", "adgangskode", "passord", "salasana", "jelszó", "κωδικός", "Κωδικός",
	"كلمة المرور", "كلمة السر", "סיסמה", "סיסמא", "पासवर्ड", "رمز عبور", "รหัสผ่าน", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "패스워드", "암호",
}

// Pieces of patterns for sentences.
const (
	passwordNames = `pass ?(?:word|wd|phrase|code|wort)|kennwort|contraseña|clave|mot de passe|senha|palavra-passe|parola(?: d'ordine)?|wachtwoord|hasło|heslo|парол[ьяею]м?|şifre(?:m|si|niz)?|ật khẩu|kata sandi|lösenord(?:et)?|adgangskode(?:n)?|passord(?:et)?|salasana(?:ni)?|jelszó|κωδικός(?: πρόσβασης)?|` +
		`كلمة المرور|كلمة السر|סיסמ[הא]|पासवर्ड|رمز عبور|รหัสผ่าน|密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|암호`
	// ending is what closes a name that is quoted or marked.
	ending = "[\"'`*_”»」』)]{0,3}"
	// saysIs is what stands between the name and the value in a sentence.
	saysIs = `(?:` + isWord + `|` + isSign + `|\s-\s)`
	isWord = `\s{1,3}(?:is|was|ist|war|lautet|est|es|è|é|jest|to|je|är|er|on|adalah|là|είναι|هي|هو|है|คือ|becomes|set to|reads)(?: now| set to| jetzt| ahora)?:?\s{1,2}`
	isSign = `\s{0,2}(?:：|:|＝|=>|=|—|–|->|→|－|是|为|為|は|が|는|은|가|이|คือ)\s{0,3}`
)
