package redact

// contextTable are the rules that need what stands around a secret: commands,
// settings of well-known files, addresses, and clauses that say which word is
// the password or the key.
var contextTable = [...]Rule{
	{
		ID: "password-setting", Keywords: passwordWords, lead: leadAny, reach: 160, take: takePassword, not: []string{"reset-", "forgot-"},
		Pattern: `^[^\x00]`, Note: "a clause with the name of a password and a word that can be nothing else, in either order",
	},
	{
		ID: "password-setting", Keywords: []string{"pw", "pwd", "pass ", "mdp", "psk"}, lead: leadWord, reach: 96, check: checkProse, value: true, prose: true, not: []string{"-", "_"},
		Pattern: `^(?i:pwd?|pass|mdp|psk)(?:\s(?:is|ist|was|est|:)\s{1,2}|\s?=\s?"?|: ?)`, Note: "short names of a password in a sentence",
	},
	{
		ID: "login", Keywords: []string{"log in ", "login", "sign in ", "creds", "credentials", "zugangsdaten", "identifiants", "credenciales", "credenciais", "credenziali", "логин", "учётные данные", "учетные данные", "账号", "アカウント", "계정"}, lead: leadWord, reach: 160, take: takeLogin,
		Pattern: `^[^\x00]`, Note: "the password of a login in one breath",
	},
	{
		ID: "login", Keywords: []string{"admin:", "root:", "postgres:", "administrator:", "admin / ", "root / "}, lead: leadWord, reach: 96, take: takeLogin,
		Pattern: `^[A-Za-z]{4,14}(?::| / )`, Note: "the same behind the name of a user that every system has",
	},
	{
		ID: "secret-setting", Keywords: []string{"key", "token", "secret", "oauth2", "schlüssel", "chave", "chiave"}, lead: leadStrict, reach: 128, take: takeKey,
		not:     []string{"public ", "public_", "public-", "primary ", "foreign ", "host ", "sort ", "cache ", "deploy public "},
		Pattern: `^[^\x00]`, Note: "a clause with the name of a key and a word that can be nothing else",
	},
	{
		ID: "secret-setting", Keywords: []string{"ключ", "токен", "clé ", "密钥", "密鑰", "令牌", "トークン", "キー", "秘密鍵", "토큰", "키"}, lead: leadAny, reach: 128, take: takeKey,
		Pattern: `^[^\x00]`, Note: "the same in scripts of more letters",
	},

	{
		ID: "seed-phrase", Keywords: []string{"seed", "mnemonic", "recovery phrase", "backup phrase", "secret phrase", "secret recovery", "wiederherstellungsphrase", "сид-фраза", "сид фраза", "мнемоник", "frase semilla", "de recuper", "phrase de récup", "di recupero", "助记词", "助記詞", "シードフレーズ", "リカバリーフレーズ", "니모닉", "시드 문구", "복구 문구"},
		lead: leadAny, reach: 512, take: takeSeed, check: checkNone,
		Pattern: `^[^\x00]`, Note: "the words of a wallet (BIP 39), after their name",
	},
	{
		ID: "kubernetes-secret", Keywords: []string{"kind: secret", `"kind":"secret"`, `"kind": "secret"`, `kind: "secret"`}, lead: leadAny, take: takeManifest,
		Pattern: `^(?i:"?kind"?: ?"?secret)`, Note: "the data of a manifest, each value",
	},

	{
		ID: "password-hash", Keywords: []string{"$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "$scrypt$", "$7$"}, lead: leadAny, check: checkToken,
		Pattern: `^\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|y\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|(?:argon2(?:id|i|d)|scrypt|7)\$[./A-Za-z0-9$=,+]{40,200})`,
		Note:    "passwords as crypt(3) and others keep them: what they hide can often be guessed",
	},

	{
		ID: "command-password", Keywords: []string{"--password-stdin", "sudo -s", "passwd --stdin", "chpasswd", "--with-token", "--token-stdin"}, back: backEcho, least: 8, lead: leadAny, reach: 64, check: checkArgument,
		Pattern: `^(?:echo|printf|print)\s(?:-n\s|'%s(?:\\n)?'\s|%s\s)?["']?(?:[A-Za-z][A-Za-z0-9_-]{0,30}:)?([^\s"'$|\x00][^\s"'|\x00]{3,})["']?\s?\|[^|\n\x00]{1,100}$`, Note: "a password that a pipe gives to a program",
	},
	{
		ID: "command-password", Keywords: []string{"<<<"}, near: []string{"passwd", "secret", "login", "token", "pass", "cryptsetup"}, lead: leadAny, check: checkArgument,
		Pattern: `^<<<\s?["']?([^\s"'$\x00]{6,})`, Note: "the same as a line of the shell",
	},
	{
		ID: "command-password", Keywords: []string{"--from-literal"}, near: []string{"secret"}, lead: leadAny, check: checkArgument,
		Pattern: `^--from-literal[= ]["']?[A-Za-z0-9._-]+=["']?([^\s"'\x00]{4,})`, Note: "values of a Kubernetes Secret",
	},
	{
		ID: "command-password", Keywords: []string{"password", "pwd"}, near: []string{"user=", "host=", "dbname=", "username=", "user id=", "User ID=", "User Id=", "User=", "Uid=", "UID=", "Server=", "Data Source=", "nmcli ", "--set ", "--set-string "}, reach: 128, check: checkArgument,
		Pattern: `^(?i:password|pwd)\s?(?:=\s?|\s)["']?([^\s"'&;,\x00]{4,})`, Note: "the password of a connection in words",
	},
	{
		ID: "command-password", Keywords: []string{"-u"}, near: []string{"curl", "lftp", "smbclient", "rpcclient", "net rpc"}, check: checkArgument,
		Pattern: `^-[uU] ?["']?(?:([A-Za-z0-9_-]{20,}):["']?(?:\s|$)|[^\s,%:"'\x00-]+[,%]([^\s"'\x00]{4,}))`, Note: "a token as the user, and users with a password behind a comma or a percent sign",
	},
	{
		ID: "command-password", Keywords: []string{"-a ", "-a=", "--auth ", "--auth="}, near: []string{"http ", "https ", "xh "}, check: checkArgument, not: []string{"-"},
		Pattern: `^(?:-a|--auth)[ =]["']?[^\s:"'\x00-]+:([^\s"'\x00]{4,})`, Note: "user:password as an argument of HTTPie",
	},
	{
		ID: "command-password", Keywords: []string{"-p", "-n ", "-k ", "-b\"", "-b'", "--key ", "--body ", "-hp", "-ap ", "-u "}, check: checkArgument, not: []string{"-"},
		near:    []string{"zip ", "twine ", "ssh-keygen ", "rar ", "gh secret", "gem push", "nuget push", "openssl enc", "swaks ", "bw "},
		Pattern: `^(?:-(?:[kNP]|ap) |-h?p|-b|--(?:key|body) )["']?([^\s"'\x00./][^\s"'\x00]{5,})`, Note: "passwords and keys as arguments of archivers, key makers and publishers",
	},
	{
		ID: "command-password", Keywords: []string{"-storepass", "-keypass", "-srcstorepass", "-deststorepass", "-storepasswd"}, lead: leadAny, check: checkArgument,
		Pattern: `^-(?:src|dest|new)?(?:store|key)pass(?:wd)?[ =]["']?([^\s"'\x00]{4,})`, Note: "passwords of Java's key stores",
	},
	{
		ID: "command-password", Keywords: []string{"-p "}, not: []string{"-"}, must: []string{"--user", "-u ", "-U "}, reach: 96, check: checkProse,
		Pattern: `^-p ["']?([^\s"'\x00]{6,})["']? (?:--user|-[uU] )`, Note: "a password before its user",
	},
	{
		ID: "command-password", Keywords: []string{"net use ", "wpa_passphrase ", "bw unlock ", "--password-command", "--password-file", "http-basic.", "identified by", "password(", "password '"}, reach: 200, check: checkArgument,
		Pattern: "^(?:IDENTIFIED BY (?:PASSWORD )?\"|(?i:net use\\s+(?:[a-z]:\\s+)?\\\\\\\\[^\\s\\x00]+\\s+|wpa_passphrase\\s[^\\s\\x00]+\\s|bw unlock |--password-(?:command|file)[= ](?:[\"']|<\\()?(?:echo|printf)\\s|http-basic\\.[^\\s\\x00]+\\s[^\\s\\x00]+\\s|(?:identified by (?:password )?|password )'|password\\([\"']))[\"']?([^\\s\"'/\\x00-][^\\s\"')\\x00]{3,})",
		Note:    "other commands and SQL with a place for the password",
	},
	{
		ID: "command-password", Keywords: []string{"auth=(", "basicauth(", "basic_auth("}, lead: leadAny, check: checkArgument,
		Pattern: `^(?i:auth=\(|basic_?auth\()\s*["'][^"'\x00]{1,80}["'],\s*["']([^\s"'\x00]{4,})["']`, Note: "the login of a request in code",
	},
	{
		ID: "password-setting", Keywords: []string{"requirepass ", "masterauth ", "bindpw ", "rootpw ", "rpcpassword=", "psk=", "npmauthident"}, lead: leadWord, check: checkArgument,
		Pattern: `^(?:requirepass |masterauth |bindpw |rootpw |rpcpassword=|psk=|(?i:npmauthident)["']?[:=]\s?["']?[^\s:"'\x00]+:)["']?([^\s"'\x00]{8,})`, Note: "lines of the settings of servers",
	},
	{
		ID: "password-setting", Keywords: []string{"_password=", "_passwd=", "_passphrase=", "_pass=", "_password:", "sshpass=", "_pwd=", "--password=", "--passwd=", "--pass="}, lead: leadAny, reach: 96, check: checkEnv,
		Pattern: `^(?:_(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD)(?:=|: )|SSHPASS=|--(?:password|passwd|pass)=)["']?([^\s"'$<>{}\[\]()\x00;&|,]{6,64})["']?(?:\s|;|&|$)`, Note: "a variable of the environment: any word of it is a value and no code",
	},
	{
		ID: "pgpass", Keywords: []string{":5432:", ":5433:", ":6432:", ":*:*:"}, lead: leadAny, check: checkArgument,
		Pattern: `^:(?:\d{4}|\*):[^\s:/\x00]{1,63}:[^\s:/\x00]{1,63}:([^\s:\x00]{4,64})(?:\s|$)`, Note: "lines of .pgpass",
	},
	{
		ID: "url-password", Keywords: []string{"@tcp(", "@unix(", ":5432", ":3306", ":27017", ":6379", ":1521", ":5672"}, back: backToken, least: 6, lead: leadAny, reach: 32, check: checkURL,
		Pattern: `^[^\s\x00]{0,40}?(?:thin:)?[A-Za-z][A-Za-z0-9_.-]{0,40}(?::([^\s@/:"'\x00]{4,64})@(?:tcp\(|unix\(|[A-Za-z0-9.-]{1,80}:\d{4,5})|/([^\s@/:"'\x00]{4,64})@[A-Za-z0-9.-]{1,80}:1521)`, Note: "user:password@host without a scheme",
	},
	{
		ID: "url-password", Keywords: []string{"sqlplus ", ":thin:"}, lead: leadAny, check: checkURL,
		Pattern: `^(?:sqlplus |:thin:)[A-Za-z0-9_$#]{1,40}/([^\s@/"'\x00]{4,64})@`, Note: "logins of Oracle",
	},
	{
		ID: "url-token", Keywords: []string{"vmess://", "ss://", "otpauth-migration:"}, lead: leadAny, reach: 2048, check: checkMixed,
		Pattern: `^(?:(?:vmess|ss)://|otpauth-migration://offline\?data=)((?:[A-Za-z0-9+/_-]|%2[BbFf]|%3[Dd]){24,}={0,2})`, Note: "servers of proxies and exported authenticators, encoded whole",
	},
	{
		ID: "url-token", Keywords: []string{"/invite/", "/reset/", "/verify/", "/magic/", "/confirm/", "/unsubscribe/", "/share/", "/join/", "/with/key/", "/activate/", "/accept/"}, lead: leadAny, check: checkToken, must: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
		Pattern: `^/(?:invite|reset|verify|magic|confirm|unsubscribe|share|join|with/key|activate|accept)/([A-Za-z0-9_-]{20,})`, Note: "tokens as the end of a path", strong: true,
	},
	{
		ID: "webhook", Keywords: []string{"hooks.zapier.com/", ".make.com/", "/bot/v2/hook/", "/open-apis/bot/hook/", "/hooks/", "/private-"}, lead: leadAny, check: checkToken,
		Pattern: `^(?:hooks\.zapier\.com/hooks/catch/(\d{5,9}/[a-z0-9]{6,})|\.make\.com/([a-z0-9]{32})\b|/(?:open-apis/)?bot/(?:v2/)?hook/([0-9a-f-]{32,36})|/hooks/([a-z0-9]{26})\b|/private-([0-9a-f]{32})/)`, Note: "Zapier, Make, Feishu, Mattermost, private calendars: the path is the secret",
	},
	{
		ID: "otp-secret", Keywords: []string{"2fa", "totp", "mfa", "otp", "authenticator", "app password", "app-password", "setup key"}, reach: 128, check: checkGroups,
		Pattern: `^(?i:t?otp|2fa|mfa|authenticator|app[ -]password|setup key)(?: ?(?:key|secret|code|seed|setup key))?s?(?: is|:| =)?\s["'` + "`" + `]?((?:[A-Za-z2-7]{4} ){3,8}[A-Za-z2-7]{4})\b`, Note: "secrets of authenticators in groups of four, as they are shown to be typed",
	},
	{
		ID: "session-cookie", Keywords: []string{"_session=", "jsessionid=", "phpsessid=", "asp.net_sessionid="}, lead: leadAny, ends: true, check: checkToken,
		Pattern: `^[A-Za-z._]{1,20}=([0-9A-Fa-f]{26,}|[a-z0-9]{24,32})`, Note: "session cookies whose value could be a digest, but for the name",
	},
	{
		ID: "command-password", Keywords: []string{`send "`}, must: []string{`\r`}, check: checkProse, reach: 96,
		Pattern: `^send "([^"\\\s\x00]{6,})\\+[rn]"`, Note: "what a script types (expect)",
	},
	{
		ID: "password-setting", Keywords: []string{"auth "}, lead: leadWord, check: checkToken, strong: true,
		Pattern: `^AUTH (?:default )?["']?([^\s"'\x00]{16,})`, Note: "a login at Redis",
	},
	{
		ID: "jwk", Keywords: []string{`"d":`, `"k":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `"d" :`, `"d\":`, `"k\":`}, lead: leadAny, reach: 1024, check: checkToken, strong: true,
		Pattern: `^"(?:[dkpq]|d[pq]|qi)\\*"\s?:\s?\\*"([A-Za-z0-9_-]{40,})\\*"`, Note: "the private members of a JSON web key (RFC 7517)",
	},
	{
		ID: "private-key", Keywords: []string{"private key", "private_key", "privatekey", "private-key"}, lead: leadAny, check: checkToken,
		Pattern: `^(?i:private[ _-]?key)(?: is)?` + assign + `(0x[0-9a-fA-F]{64}|[0-9a-fA-F]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?:[^A-Za-z0-9]|$)`, Note: "keys of wallets by their name",
	},
	{
		ID: "private-key", Keywords: []string{"begin rsa priv", "begin openssh priv", "begin priv", "begin ec priv", "begin dsa priv", "begin encrypted priv", "begin pgp priv", "begin ssh2 enc"}, lead: leadAny, block: true, check: checkNone, reach: 24 << 10,
		Pattern: `^BEGIN (?:RSA |OPENSSH |EC |DSA |ENCRYPTED |PGP |SSH2 ENCRYPTED )?PRIVATE KEY(?: BLOCK)?[^A-Za-z0-9\n\\\x00]{0,16}(?:` + keyLine + `)(?:` + keyLine + `|\s|\\+[nr])*`, Note: "key blocks whose dashes are lost or were made others",
	},
	{
		ID: "authorization-header", Keywords: []string{"response=", "mac=", "_signature=", "signature="}, near: []string{"uthorization", "Digest ", "Hawk ", "OAuth "}, lead: leadAny, reach: 512, check: checkMixed,
		Pattern: `^(?i:response|mac|_?signature)=\\?["']?((?:[A-Za-z0-9+/_=-]|%[0-9A-F]{2}){16,})`, Note: "what signs a request, in its header",
	},
	{
		ID: "api-key-header", Keywords: []string{"-auth:", "-key:", "-secret:", "-auth\":", "-key\":", "-auth\": "}, back: backWord, least: 3, lead: leadAny, reach: 256, check: checkToken, strong: true,
		Pattern: `^(?i:x(?:-[a-z0-9]+){1,4}["']?: ?["']?)([A-Za-z0-9._~+/=-]{16,})`, Note: "keys in headers of one's own",
	},
	{
		ID: "vendor-key", Keywords: []string{
			"ddapp_", "sgp_", "apify_api_", "mdb_sa_sk_", "napi_", "npg_", "dt0c01.", "dt0s01.", "duffel_live_", "shippo_live_", "tk-us-", "aqvn", "ltai", "akid", "igqv", "atoa", "aq.ab8", "eyjrijoi", "atlasv1.", "access_token$production$", "ezak", "e2b_", "nsec1", "xprv", "apa91b", "y0_", "rzp_live_",
		},
		lead: leadStrict, reach: 512, check: checkMixed,
		Pattern: `^(?:ddapp_[A-Za-z0-9]{30,}|sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}|apify_api_[A-Za-z0-9]{30,}|mdb_sa_sk_[A-Za-z0-9_-]{30,}|napi_[a-z0-9]{50,}|npg_[A-Za-z0-9]{12,}|dt0[cs]01\.[A-Z0-9]{8,}\.[A-Z0-9]{40,}|duffel_live_[A-Za-z0-9_-]{30,}|shippo_live_[0-9a-f]{40}|tk-us-[A-Za-z0-9_-]{40,}|AQVN[A-Za-z0-9_-]{35,}|LTAI[A-Za-z0-9]{12,20}|AKID[A-Za-z0-9]{32}|IGQV[A-Za-z0-9]{60,}|ATOA[A-Za-z0-9_-]{40,}|AQ\.Ab8[A-Za-z0-9_-]{30,}|eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}|atlasv1\.[A-Za-z0-9_-]{40,}|access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}|EZAK[A-Za-z0-9]{54}|e2b_[0-9a-f]{40}|nsec1[02-9ac-hj-np-z]{58}|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,}|APA91b[A-Za-z0-9_-]{120,}|y0_[A-Za-z0-9_-]{39,}|rzp_live_[A-Za-z0-9]{14})`,
		Note:    "Datadog, Sourcegraph, Apify, MongoDB Atlas, Neon, Dynatrace, Duffel, Shippo, Yandex, Alibaba, Tencent, Instagram, Bitbucket, Google, Grafana, HCP, Braintree, EasyPost, E2B, Nostr, wallets, Firebase, Razorpay",
	},
	{
		ID: "vendor-key", Keywords: []string{"_live_", "_pat_", "_sk_", "_api_", "_key_", "_token_", "_secret_", "-live-"}, back: backWord, least: 2, check: checkToken, strong: true,
		Pattern: `^[A-Za-z][A-Za-z0-9]{1,11}[_-](?:live|pat|sk|api|key|token|secret)[_-](?:[a-z0-9]{1,6}_)?[A-Za-z0-9]{20,}`, Note: "the form that most vendors use: a name, what it is, and a run that is random",
	},
	{
		ID: "vendor-key", Keywords: []string{"_live_"}, back: backWord, least: 2, ends: true, check: checkToken,
		Pattern: `^[a-z][a-z0-9]{1,11}_live_[0-9a-f]{32,64}`, Note: "the same with a digest",
	},
	{
		ID: "vendor-key", Keywords: []string{"nral"}, back: backAlnum, least: 36, ends: true, lead: leadWord, check: checkToken,
		Pattern: `^[0-9a-f]{36}(?:FFFF)?NRAL`, Note: "New Relic licences",
	},
	{
		ID: "docker-config-auth", Keywords: []string{".dockerconfigjson", "github-oauth", "instrumentationkey", "_authtoken=", "login token="}, lead: leadAny, reach: 4096, check: checkToken,
		Pattern: `^(?i:\.dockerconfigjson["']?:\s?["']?([A-Za-z0-9+/]{40,}={0,2})|github-oauth["']?:\s?\{?\s?["']?(?:[a-z.]+["']?:\s?["']?)?([A-Za-z0-9_]{36,})|(?:instrumentationkey["']?[=:]|_authtoken=|login token=)\s?["']?([0-9a-f-]{36}))`, Note: "logins of images, of Composer and of telemetry",
	},
}
