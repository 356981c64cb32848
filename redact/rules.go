package redact

// RulesDate is the day the rules were last compared with what the vendors
// write about their keys.
const RulesDate = "2026-11-30"

// Rule says how one kind of secret looks.
type Rule struct {
	// ID is the name in the marker: lower case, digits and hyphens.
	ID string
	// Keywords are what the prefilter looks for, in lower case. The pattern is
	// tried where one of them stands.
	Keywords []string
	// Pattern (RE2) begins at the keyword, or Back before it. Its first group
	// that took part is the secret; without a group the whole match is.
	Pattern string
	// Note says where the form comes from and what it covers.
	Note string

	lead   lead
	back   back
	check  check
	reach  int      // bytes after the keyword that the pattern may see, 0: defaultReach
	least  int      // bytes that back must cover at least
	ends   bool     // the byte after the secret is no letter or digit
	value  bool     // the secret is the value that follows the match
	until  string   // the pattern sees no further than the next of these
	must   []string // one of these stands within reach after the keyword
	near   []string // one of these stands before, on the same line
	right  []string // one of these stands right before the keyword, in lower case
	not    []string // what may not stand right before the keyword, in lower case
	block  bool     // spans lines by nature: pieces over a join are not weighed one by one
	prose  bool     // the value ends at white space or a script without blanks, and not before
	folds  bool     // the prefix says enough: looked for over a blank too
	glues  bool     // and behind a letter or digit
	strong bool     // a long run of it is random
	take   take     // what is taken, if it is not of the match
}

// defaultReach is enough for each token of a fixed form.
const defaultReach = 320

// take says where the secret is that a match of the name leads to. Where it is in
// a clause, the name is the keyword, and the pattern says no more.
type take uint8

const (
	takeMatch    take = iota
	takePassword      // in the clause around the name: a password
	takeLogin         // in the clause after it: a password, of which less is said
	takeKey           // in the clause after it: a key
	takeSeed          // the words after it
	takeManifest      // the values in the data of the manifest
)

// clause reports a rule that has no pattern but the name itself.
func (t take) clause() bool { return t == takePassword || t == takeLogin || t == takeKey }

// lead is what may stand before the match.
type lead uint8

const (
	leadWord   lead = iota // no letter or digit
	leadAny                // anything
	leadStrict             // nothing that occurs inside base64 or an identifier
)

// back is how the start moves before the keyword.
type back uint8

const (
	backNone   back = iota
	backDigits      // digits
	backWord        // letters, digits, - and _
	backAlnum       // letters and digits
	backLines       // whole lines of base64
	backName        // letters and digits, and the dots of a scheme
	backSecret      // three characters
	backTag         // the name of an element, with the sign before it
	backQuery       // the name of a parameter, with the sign before it
	backEcho        // the command that prints, on the same line
	backToken       // all up to a blank
)

// check is what the secret itself must be like.
type check uint8

const (
	checkToken        check = iota // no placeholder
	checkMixed                     // letters and digits mixed, no placeholder
	checkSetting                   // the value of a setting named secret, token, key
	checkPassword                  // the value of a setting named password
	checkURL                       // the password in a URL
	checkHeader                    // the value of a header
	checkBase64                    // 40 characters of base64, upper, lower and digit
	checkSettingValue              // the same, the name and the sign being sure
	checkNoHash                    // mixed, and no digest, UUID or id
	checkProse                     // the password of a sentence
	checkPlain                     // the password of a field or in a word of its own: words will do
	checkArgument                  // the password of a command
	checkPartial                   // a piece of a key that is random beyond doubt
	checkQuery                     // mixed, as the value of a parameter
	checkPiece                     // the same where less is enough
	checkCode                      // digits that are no year
	checkEncoded                   // base64 of a key
	checkWord                      // a quoted word that is the password of a sentence
	checkBareWord                  // a plain word, or a few, that a sentence gives as the password
	checkEnv                       // the value of a variable
	checkGroups                    // groups of base32
	checkNone
)

// The order is the precedence of labels: kinds of one vendor first, contexts
// after them.
var ruleTable = [...]Rule{
	{
		ID: "private-key", Keywords: []string{"-----begin", "----begin", "---- begin"}, lead: leadAny, block: true, check: checkNone, reach: 24 << 10,
		Pattern: `^-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:[^\x00-]|-[^\x00-]|-{2,3}[^\x00-])*?-{4,6} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`,
		Note:    "PEM and armor blocks: PKCS#1, PKCS#8, EC, DSA, OpenSSH, PGP, SSH2; also inside JSON, as in a Google service account",
	},
	{
		ID: "private-key", Keywords: []string{"-----begin", "----begin", "---- begin"}, lead: leadAny, block: true, check: checkNone, reach: 24 << 10,
		Pattern: `^-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:` + keyLine + `|\s|\\+[nr]|[A-Za-z-]{1,20}: [^\s\x00]{1,80}|[A-Za-z0-9+/=]{12,})*`,
		Note:    "the same block, cut off before its end",
	},
	{
		ID: "private-key", Keywords: []string{"-----end"}, lead: leadAny, back: backLines, block: true, check: checkNone,
		Pattern: `^[^\x00]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`,
		Note:    "the same block, cut off before its start",
	},
	{
		ID: "putty-private-key", Keywords: []string{"private-lines:"}, lead: leadAny, block: true, check: checkNone, reach: 8 << 10,
		Pattern: `^(?i:private-lines:) ?\d{1,3}(?:` + keyLine + `|\s|\\+[nr]|[A-Za-z0-9+/=]{16,})+`,
		Note:    "PuTTY key files keep the private part after this line",
	},
	{ID: "age-secret-key", glues: true, Keywords: []string{"age-secret-key-"}, Pattern: `^(?i:AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{58}[0-9A-Z]*)`, Note: "age identities are bech32 with this prefix"},

	{
		ID: "aws-access-key-id", Keywords: []string{"akia", "asia", "abia", "acca", "aroa", "aida", "agpa"}, ends: true, glues: true,
		Pattern: `^(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA)[A-Z0-9]{16}`, Note: "AWS unique identifiers: four letters of kind, sixteen more",
	},
	{
		ID: "aws-secret-access-key", Keywords: []string{"akia", "asia"}, ends: true, check: checkBase64,
		Pattern: `^(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9\x00]{1,12}(?:[A-Za-z_ ."':=,>-]{0,60}[^A-Za-z0-9/+\x00])?([A-Za-z0-9/+]{40})`,
		Note:    "the secret that follows its key id in CSV files, shells and profiles",
	},
	{
		ID: "aws-secret-access-key", Keywords: []string{"secret_access_key", "secretaccesskey", "secret-access-key", "secret access key", "aws_secret", "aws_session_token"}, lead: leadAny, reach: 2048,
		Pattern: `^(?i:(?:aws_)?(?:secret[_ -]?access[_ -]?key|secret(?:_key)?|session_token))` + assign + `((?:[A-Za-z0-9/+=]|%2[FfBb]|%3[Dd]){30,})`,
		Note:    "AWS secret keys are 40 characters of base64 without a prefix, so the name decides; session tokens are longer",
	},
	{ID: "aws-bedrock-api-key", Keywords: []string{"absk"}, lead: leadStrict, Pattern: `^ABSK[A-Za-z0-9+/]{100,269}={0,2}`, Note: "Bedrock long-lived API keys are base64 of BedrockAPIKey-"},
	{ID: "google-api-key", folds: true, glues: true, Keywords: []string{"aiza"}, lead: leadWord, Pattern: `^AIza[0-9A-Za-z_-]{35}`, Note: "Google Cloud, Maps, Firebase and Gemini API keys"},
	{ID: "google-oauth-secret", folds: true, glues: true, Keywords: []string{"gocspx-"}, Pattern: `^GOCSPX-[A-Za-z0-9_-]{24,}`, Note: "Google OAuth client secrets"},
	{ID: "google-oauth-token", glues: true, Keywords: []string{"ya29."}, Pattern: `^ya29\.[A-Za-z0-9_.-]{20,}`, reach: 2048, Note: "Google OAuth access tokens"},
	{ID: "google-refresh-token", Keywords: []string{"1//0"}, Pattern: `^1//0[A-Za-z0-9_-]{40,}`, Note: "Google OAuth refresh tokens"},
	{ID: "gcp-service-account-key-id", Keywords: []string{"private_key_id"}, lead: leadAny, Pattern: `^private_key_id` + assign + `([0-9a-f]{40})`, Note: "names the key in a service account file"},

	{
		ID: "azure-storage-key", Keywords: []string{"accountkey", "account_key", "account-key", "storage_key", "storagekey"}, lead: leadAny,
		Pattern: `^(?i:account[_-]?key|storage_?key)` + assign + `([A-Za-z0-9+/]{60,}={0,2})`, Note: "storage account keys: 64 bytes in base64, named in connection strings",
	},
	{
		ID: "azure-shared-access-key", Keywords: []string{"sharedaccesskey", "accesskey="}, lead: leadAny,
		Pattern: `^(?i:sharedaccesskey|accesskey) ?[=:] ?"?([A-Za-z0-9+/]{40,}={0,2})`, Note: "Service Bus, Event Hubs, IoT Hub and App Configuration connection strings",
	},
	{
		ID: "azure-sas", Keywords: []string{"sig=", "sig%3d", `sig\u003d`}, lead: leadWord,
		Pattern: `^(?i:sig(?:=|%3D|\\u003d))((?:[A-Za-z0-9+/_-]|%2[FfBb]){36,}(?:%3[Dd]|=){0,2})`, Note: "shared access signatures: an HMAC-SHA256 in the query",
	},
	{ID: "azure-client-secret", Keywords: []string{"8q~", "7q~"}, back: backSecret, least: 3, ends: true, Pattern: `^[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}`, Note: "Entra ID client secrets"},

	{ID: "github-token", folds: true, glues: true, Keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, Pattern: `^gh[pousr]_[A-Za-z0-9]{36}[A-Za-z0-9]*`, Note: "GitHub personal, OAuth, app user, installation and refresh tokens"},
	{ID: "github-fine-grained-token", folds: true, glues: true, Keywords: []string{"github_pat_"}, Pattern: `^github_pat_[A-Za-z0-9_]{36,}`, Note: "GitHub fine-grained personal tokens"},
	{
		ID: "gitlab-token", folds: true, glues: true, Keywords: []string{"glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glsoat-", "glcbt-", "glimt-", "glagent-", "glft-", "gloas-", "glffct-", "glwt-"},
		Pattern: `^gl(?:pat|dt|rt|rtr|ptt|soat|cbt|imt|agent|ft|oas|ffct|wt)-[A-Za-z0-9_.-]{20,}`, check: checkMixed, Note: "GitLab access, deploy, runner, trigger, SCIM, job, mail, agent, feed, OAuth tokens",
	},
	{ID: "gitlab-runner-registration", Keywords: []string{"gr1348941"}, Pattern: `^GR1348941[A-Za-z0-9_-]{20,}`, Note: "older GitLab runner registration tokens"},
	{ID: "bitbucket-app-password", Keywords: []string{"atbb"}, lead: leadStrict, check: checkMixed, Pattern: `^ATBB[A-Za-z0-9]{24,}`, Note: "Bitbucket app passwords"},
	{ID: "atlassian-token", folds: true, glues: true, Keywords: []string{"atatt3", "atctt3"}, Pattern: `^AT[AC]TT3[A-Za-z0-9_=-]{40,}`, Note: "Atlassian API tokens and Bitbucket access tokens"},

	{ID: "anthropic-api-key", folds: true, glues: true, Keywords: []string{"sk-ant-"}, Pattern: `^sk-ant-[A-Za-z0-9_-]{20,}`, check: checkMixed, Note: "Anthropic API, admin and OAuth keys"},
	{ID: "openrouter-api-key", folds: true, glues: true, Keywords: []string{"sk-or-"}, Pattern: `^sk-or-[A-Za-z0-9_-]{20,}`, check: checkMixed, Note: "OpenRouter keys"},
	{ID: "openai-api-key", folds: true, glues: true, Keywords: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"}, Pattern: `^(?i:sk-(?:proj|svcacct|admin|none)-)[A-Za-z0-9_-]{20,}`, check: checkMixed, Note: "OpenAI project, service account and admin keys"},
	{ID: "sk-api-key", Keywords: []string{"sk-"}, Pattern: `^sk-[A-Za-z0-9]{20,}`, check: checkMixed, Note: "the plain sk- form of OpenAI's older keys, DeepSeek, Moonshot, Qwen, LiteLLM, Langfuse and others"},
	{ID: "sk-api-key", Keywords: []string{"sk-lf-", "sk-kimi-", "sk-cp-", "sk-ws-", "sk_car_", "csk-", "pk-lf-"}, Pattern: `^(?:[sp]k-(?:lf|kimi|cp|ws)-|sk_car_|csk-)[A-Za-z0-9_-]{20,}`, check: checkMixed, Note: "vendor forms of sk-: Langfuse, Kimi, Cartesia, Cerebras"},
	{ID: "hugging-face-token", folds: true, glues: true, Keywords: []string{"hf_", "api_org_"}, ends: true, Pattern: `^(?:hf|api_org)_[A-Za-z0-9]{30,40}`, Note: "Hugging Face user and organisation tokens"},
	{ID: "groq-api-key", folds: true, glues: true, Keywords: []string{"gsk_"}, Pattern: `^gsk_[A-Za-z0-9]{30,}`, Note: "Groq keys"},
	{ID: "xai-api-key", folds: true, glues: true, Keywords: []string{"xai-"}, Pattern: `^xai-[A-Za-z0-9]{30,}`, Note: "xAI keys"},
	{ID: "replicate-token", folds: true, glues: true, Keywords: []string{"r8_"}, Pattern: `^r8_[A-Za-z0-9]{30,}`, Note: "Replicate tokens"},
	{ID: "perplexity-api-key", folds: true, glues: true, Keywords: []string{"pplx-"}, Pattern: `^pplx-[A-Za-z0-9]{30,}`, Note: "Perplexity keys"},
	{ID: "nvidia-api-key", folds: true, glues: true, Keywords: []string{"nvapi-"}, Pattern: `^nvapi-[A-Za-z0-9_-]{40,}`, Note: "NVIDIA API catalogue keys"},
	{
		ID: "model-api-key", Keywords: []string{"tvly-", "fw_", "tgp_v1_", "lsv2_pt_", "lsv2_sk_", "jina_", "fc-", "vck_", "wsk-", "ark-"}, check: checkMixed, ends: true,
		Pattern: `^(?:tvly-(?:dev-|prod-)?|fw_|tgp_v1_|lsv2_(?:pt|sk)_|jina_|fc-|vck_|wsk-|ark-)[A-Za-z0-9_-]{22,}`, Note: "Tavily, Fireworks, Together, LangSmith, Jina, Firecrawl, Vercel gateway and others",
	},
	{ID: "databricks-token", Keywords: []string{"dapi"}, lead: leadStrict, ends: true, glues: true, Pattern: `^dapi[0-9a-f]{32}(?:-\d)?`, Note: "Databricks personal tokens"},

	{
		ID: "slack-token", folds: true, glues: true, Keywords: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xapp-"},
		Pattern: `^(?:xoxe\.)?x(?:ox[abcdeoprs]|app)-(?:[A-Za-z0-9-]|%2[FfBb]|%3[Dd]){10,}`, check: checkMixed, Note: "Slack bot, user, app, legacy, refresh, cookie tokens",
	},
	{ID: "slack-webhook", Keywords: []string{"hooks.slack.com/"}, lead: leadAny, Pattern: `^hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{30,})`, Note: "the path of an incoming webhook is its secret"},
	{ID: "discord-webhook", Keywords: []string{"/api/webhooks/", "/webhooks/"}, lead: leadAny, Pattern: `^/(?:api/(?:v\d{1,2}/)?)?webhooks/(\d{15,21}/[A-Za-z0-9_-]{40,})`, Note: "Discord webhooks"},
	{ID: "discord-bot-token", Keywords: []string{"."}, back: backWord, least: 23, ends: true, check: checkMixed, Pattern: `^(?:[A-Za-z0-9_-]{0,64}?[_-])??([MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})`, Note: "Discord bot tokens: user id, time, HMAC, all in base64"},
	{ID: "telegram-bot-token", Keywords: []string{":aa", "%3aaa"}, back: backDigits, least: 8, lead: leadAny, ends: true, Pattern: `^\d{8,10}(?::|%3A)AA[A-Za-z0-9_-]{32,35}`, Note: "Telegram bot tokens: id, colon, 35 characters"},
	{ID: "teams-webhook", Keywords: []string{"/webhookb2/", "/incomingwebhook/"}, lead: leadAny, Pattern: `^/(?i:webhookb2/[^\s"'<>\x00]{36,}|incomingwebhook/[^\s"'<>\x00]{30,})`, Note: "Microsoft Teams connectors"},

	{ID: "stripe-key", folds: true, glues: true, Keywords: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"}, check: checkMixed, Pattern: `^[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}`, Note: "Stripe secret and restricted keys; Clerk secret keys share the form"},
	{ID: "stripe-webhook-secret", folds: true, glues: true, Keywords: []string{"whsec_"}, check: checkMixed, Pattern: `^whsec_[A-Za-z0-9+/=]{20,}`, Note: "Stripe and Svix signing secrets"},
	{ID: "twilio-api-key", Keywords: []string{"sk"}, lead: leadStrict, ends: true, Pattern: `^SK[0-9a-f]{32}`, Note: "Twilio API keys"},
	{ID: "twilio-auth-token", Keywords: []string{"twilio_auth_token", "twilio_token", "twilio_api_secret", "auth_token"}, lead: leadAny, Pattern: `^(?i:(?:twilio_)?(?:auth_token|token|api_secret))` + assign + `([0-9A-Za-z]{32})`, ends: true, Note: "Twilio auth tokens have no prefix, so the name decides"},
	{ID: "sendgrid-api-key", folds: true, glues: true, Keywords: []string{"sg."}, Pattern: `^SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`, Note: "SendGrid keys"},
	{ID: "mailgun-key", Keywords: []string{"key-"}, lead: leadStrict, ends: true, Pattern: `^key-[0-9a-f]{32}`, Note: "Mailgun private keys"},
	{ID: "mailgun-signing-key", Keywords: []string{"-"}, back: backAlnum, least: 32, lead: leadStrict, ends: true, Pattern: `^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}`, Note: "Mailgun domain keys"},
	{ID: "mailchimp-api-key", Keywords: []string{"-us"}, back: backAlnum, least: 32, lead: leadStrict, ends: true, Pattern: `^[0-9a-f]{32}-us\d{1,2}`, Note: "Mailchimp keys carry their data centre"},
	{ID: "brevo-api-key", folds: true, glues: true, Keywords: []string{"xkeysib-", "xsmtpsib-"}, Pattern: `^x(?:keysib|smtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}`, Note: "Brevo API and SMTP keys"},
	{ID: "resend-api-key", Keywords: []string{"re_"}, ends: true, check: checkMixed, Pattern: `^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, Note: "Resend keys"},
	{ID: "square-token", Keywords: []string{"sq0atp-", "sq0csp-", "sq0idp-"}, Pattern: `^sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}`, Note: "Square access tokens and secrets"},
	{ID: "square-token", Keywords: []string{"eaaa"}, lead: leadStrict, ends: true, check: checkMixed, Pattern: `^EAAA[A-Za-z0-9_-]{60}`, Note: "Square access tokens, newer form"},
	{ID: "facebook-token", Keywords: []string{"eaac", "eaad", "eaab", "eaag", "eaal"}, lead: leadStrict, ends: true, check: checkMixed, Pattern: `^EAA[A-Z][A-Za-z0-9]{80,}`, Note: "Meta graph tokens"},
	{ID: "shopify-token", folds: true, glues: true, Keywords: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, Pattern: `^shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}`, Note: "Shopify admin, custom app, private app tokens and shared secrets"},

	{ID: "npm-token", folds: true, glues: true, Keywords: []string{"npm_"}, ends: true, Pattern: `^npm_[A-Za-z0-9]{36,}`, Note: "npm access tokens"},
	{ID: "pypi-token", folds: true, glues: true, Keywords: []string{"pypi-"}, check: checkMixed, Pattern: `^pypi-[A-Za-z0-9_-]{50,}`, Note: "PyPI tokens are macaroons in base64"},
	{ID: "rubygems-token", folds: true, glues: true, Keywords: []string{"rubygems_"}, Pattern: `^rubygems_[0-9a-f]{48}`, Note: "RubyGems keys"},
	{ID: "crates-io-token", Keywords: []string{"cio"}, lead: leadStrict, ends: true, check: checkMixed, Pattern: `^cio[A-Za-z0-9]{32}`, Note: "crates.io tokens"},
	{ID: "nuget-api-key", Keywords: []string{"oy2"}, lead: leadStrict, ends: true, Pattern: `^oy2[a-z0-9]{43}`, Note: "NuGet keys"},
	{ID: "clojars-token", Keywords: []string{"clojars_"}, Pattern: `^CLOJARS_[A-Za-z0-9]{60}`, Note: "Clojars deploy tokens"},
	{ID: "docker-token", folds: true, glues: true, Keywords: []string{"dckr_pat_", "dckr_oat_"}, Pattern: `^dckr_[op]at_[A-Za-z0-9_-]{20,}`, Note: "Docker Hub personal and organisation tokens"},
	{ID: "digitalocean-token", folds: true, glues: true, Keywords: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, Pattern: `^do[opr]_v1_[0-9a-f]{64}`, Note: "DigitalOcean personal, OAuth and refresh tokens"},
	{ID: "heroku-api-key", Keywords: []string{"hrku-"}, Pattern: `^HRKU-[A-Za-z0-9_-]{36,}`, Note: "Heroku keys, newer form"},
	{ID: "heroku-api-key", Keywords: []string{"heroku"}, lead: leadAny, ends: true, Pattern: `^(?i:heroku[a-z0-9_ .-]{0,24}?(?:key|token|auth|secret)[a-z_]{0,8})` + assign + uuid, Note: "Heroku's older keys are UUIDs, so the name decides"},
	{ID: "cloudflare-token", Keywords: []string{"cloudflare", "cf_api", "cf_token", "x-auth-key"}, lead: leadAny, ends: true, Pattern: `^(?i:(?:cloudflare|cf|x-auth-key)[a-z0-9_ .-]{0,24})` + assign + `([0-9a-f]{37}|[A-Za-z0-9_-]{40})`, check: checkNoHash, Note: "Cloudflare tokens (40) and global keys (37) have no prefix, so the name decides"},
	{ID: "cloudflare-token", Keywords: []string{"cfut_", "cfat_", "cfk_"}, Pattern: `^cf(?:ut|at|k)_[A-Za-z0-9_-]{40,}`, Note: "Cloudflare tokens, newer form"},
	{ID: "cloudflare-origin-ca-key", Keywords: []string{"v1.0-"}, Pattern: `^v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}`, Note: "Cloudflare origin CA keys"},
	{ID: "vault-token", folds: true, glues: true, Keywords: []string{"hvs.", "hvb.", "hvr."}, check: checkMixed, Pattern: `^hv[sbr]\.[A-Za-z0-9_-]{20,}`, Note: "Vault service, batch and recovery tokens"},
	{ID: "vault-token", Keywords: []string{"vault_token", "x-vault-token"}, lead: leadAny, Pattern: `^(?i:(?:x-)?vault[_-]token)` + assign + `((?:s\.)?[A-Za-z0-9._-]{20,})`, check: checkMixed, Note: "Vault tokens of the older form, by name"},
	{ID: "terraform-cloud-token", Keywords: []string{".atlasv1."}, back: backAlnum, least: 10, Pattern: `^[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_-]{40,}`, Note: "HCP Terraform tokens"},
	{ID: "sentry-token", folds: true, glues: true, Keywords: []string{"sntrys_", "sntryu_"}, reach: 1024, Pattern: `^sntry[su]_[A-Za-z0-9+/=_-]{40,}`, Note: "Sentry organisation and user tokens"},
	{ID: "linear-api-key", folds: true, glues: true, Keywords: []string{"lin_api_", "lin_oauth_", "lin_wh_"}, Pattern: `^lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}`, Note: "Linear keys"},
	{ID: "notion-token", folds: true, glues: true, Keywords: []string{"ntn_", "secret_"}, ends: true, check: checkMixed, Pattern: `^(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})`, Note: "Notion integration tokens"},
	{ID: "figma-token", folds: true, glues: true, Keywords: []string{"figd_", "figo_", "figu_"}, Pattern: `^fig[dou]_[A-Za-z0-9_-]{30,}`, Note: "Figma personal and OAuth tokens"},
	{ID: "grafana-token", folds: true, glues: true, Keywords: []string{"glsa_", "glc_"}, check: checkMixed, Pattern: `^(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/=]{32,})`, Note: "Grafana service accounts and cloud policies"},
	{ID: "new-relic-key", glues: true, Keywords: []string{"nrak-", "nrii-", "nrjs-"}, Pattern: `^NR(?:AK|II|JS)-[A-Za-z0-9_-]{19,}`, Note: "New Relic user and ingest keys"},
	{ID: "datadog-key", Keywords: []string{"dd_api_key", "dd_app_key", "dd-api-key", "dd-application-key", "datadog_api_key", "datadog_app_key"}, lead: leadAny, Pattern: `^(?i:(?:dd|datadog)[_-](?:api|app|application)[_-]key)` + assign + `([0-9A-Za-z]{32,40})`, Note: "Datadog keys, by name"},
	{ID: "doppler-token", Keywords: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, Pattern: `^dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}`, Note: "Doppler tokens"},
	{ID: "pulumi-token", Keywords: []string{"pul-"}, ends: true, Pattern: `^pul-[0-9a-f]{40}`, Note: "Pulumi tokens"},
	{ID: "planetscale-token", folds: true, glues: true, Keywords: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, Pattern: `^pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}`, Note: "PlanetScale tokens and passwords"},
	{ID: "supabase-key", folds: true, glues: true, Keywords: []string{"sbp_", "sb_secret_"}, ends: true, Pattern: `^(?:sbp_(?:oauth_)?[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})`, Note: "Supabase personal tokens and secret keys"},
	{ID: "postman-api-key", glues: true, Keywords: []string{"pmak-"}, Pattern: `^PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}`, Note: "Postman keys"},
	{ID: "airtable-token", Keywords: []string{"pat"}, lead: leadStrict, Pattern: `^pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`, Note: "Airtable personal tokens"},
	{ID: "dropbox-token", Keywords: []string{"sl."}, lead: leadStrict, check: checkMixed, Pattern: `^sl\.(?:u\.)?[A-Za-z0-9_-]{100,}`, Note: "Dropbox short-lived tokens"},
	{ID: "fly-token", folds: true, glues: true, Keywords: []string{"fo1_", "fm1_", "fm1a_", "fm1r_", "fm2_"}, reach: 2048, Pattern: `^(?:fo1_[A-Za-z0-9_-]{43}|fm1[ar]?_[A-Za-z0-9+/]{90,}={0,3}|fm2_[A-Za-z0-9+/]{90,}={0,3})`, Note: "Fly.io tokens"},
	{ID: "tailscale-key", folds: true, glues: true, Keywords: []string{"tskey-"}, Pattern: `^tskey-[a-z]{2,10}-[A-Za-z0-9_-]{16,}`, check: checkMixed, Note: "Tailscale auth, API and OAuth keys"},
	{ID: "onepassword-token", Keywords: []string{"ops_eyj"}, reach: 2048, Pattern: `^ops_eyJ[A-Za-z0-9+/_=-]{60,}`, Note: "1Password service accounts"},
	{
		ID: "ci-token", Keywords: []string{"bkua_", "bkaj_", "ccipat_", "ccipprj_", "nfp_", "rnd_", "cfpat-", "sqp_", "squ_", "sqa_", "pnu_", "phx_", "tfp_", "dnkey-", "vcp_"}, ends: true, check: checkMixed,
		Pattern: `^(?:bkua_|bkaj_|(?i:CCIPAT_|CCIPPRJ_)|nfp_|rnd_|CFPAT-|sq[apu]_|pnu_|phx_|tfp_|dnkey-|vcp_)[A-Za-z0-9_-]{26,}`, Note: "Buildkite, CircleCI, Netlify, Render, Contentful, SonarQube, Prefect, PostHog, Typeform, Defined, Vercel",
	},
	{ID: "artifactory-token", Keywords: []string{"akcp", "cmvmdgtu"}, lead: leadStrict, check: checkMixed, Pattern: `^(?:AKCp[A-Za-z0-9]{60,80}|cmVmdGtu[A-Za-z0-9]{56})`, Note: "JFrog API keys and reference tokens"},
	{ID: "mapbox-token", Keywords: []string{"sk.eyj"}, reach: 1024, Pattern: `^sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}`, Note: "Mapbox secret tokens"},

	{ID: "jwt", Keywords: []string{"eyj"}, lead: leadStrict, glues: true, reach: 8 << 10, Pattern: `^eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`, check: checkNone, Note: "signed or bare JSON web tokens (RFC 7519)"},
	{ID: "jwt", Keywords: []string{"eyj"}, lead: leadStrict, reach: 8 << 10, Pattern: `^eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`, check: checkNone, Note: "encrypted JSON web tokens"},
	{ID: "wireguard-key", Keywords: []string{"privatekey", "private_key", "private-key", "presharedkey", "preshared-key"}, lead: leadAny, Pattern: `^(?i:(?:private|preshared)[_-]?key)` + assign + `([A-Za-z0-9+/]{42}[A-Za-z0-9+/=]=)`, Note: "WireGuard keys: 32 bytes in base64"},
	{ID: "kubeconfig", Keywords: []string{"client-key-data", "clientkeydata"}, lead: leadAny, reach: 8 << 10, Pattern: `^(?i:client-?key-?data)` + assign + `([A-Za-z0-9+/=]{32,})`, Note: "the client key of a kubeconfig, in base64"},
	{ID: "kubeconfig", Keywords: []string{"token:"}, reach: 2048, Pattern: `^token:\s{1,3}"?([A-Za-z0-9._~+/=-]{16,})`, check: checkSettingValue, Note: "bearer tokens of a kubeconfig"},
	{ID: "docker-config-auth", Keywords: []string{`"auth"`, `"auth\"`, `_auth`}, lead: leadAny, Pattern: `^"?_?(?i:auth)(?:token|\\*")?` + assign + `([A-Za-z0-9+/_-]{12,}={0,2})`, check: checkMixed, Note: "the login of a Docker or npm configuration, in base64"},

	{
		ID: "url-password", folds: true, Keywords: []string{"://"}, back: backName, lead: leadAny, until: "://", must: []string{"@"}, reach: 1024, check: checkURL,
		Pattern: `^[A-Za-z][A-Za-z0-9+.-]*://(?:` + urlUser + `:(?:([^\s"'` + "`" + `<>,;\x00\\]{3,})@[A-Za-z0-9._-]+:\d{2,5}(?:[/?,;)\s"'` + "`" + `<]|$)|(` + urlWord + `(?:@[!$-&(-.0-;=A-Z\[\]^_a-z{|}~]*)*)@[A-Za-z0-9\[._-])|` + urlWord + `:([^\s"'` + "`" + `<>@\x00\\]{3,})@[A-Za-z0-9\[._-])`,
		Note:    "databases, queues and HTTP with user:password@host (RFC 3986); a password may hold signs that should be written in percent",
	},
	{
		ID: "url-token", Keywords: []string{"https://", "http://", "ss://", "trojan://", "vless://"}, lead: leadAny, must: []string{"@"}, reach: 1024, check: checkMixed,
		Pattern: `^(?i:https?|ss|trojan|vless)://([A-Za-z0-9_+/=-]{20,})(?::[^\s"'@/\x00]{0,64})?@[A-Za-z0-9]`, Note: "a token as the user of a URL",
	},
	{
		ID: "authorization-header", Keywords: []string{"authorization", "bearer", "basic "}, lead: leadAny, reach: 4096, check: checkHeader,
		Pattern: `^(?i:(?:proxy-)?(?:authorization` + assign + `)?(?:bearer|basic|token|digest|negotiate|apikey|bot)(?: |%20|\+|[=:] ?|, ){1,2})["']?([A-Za-z0-9._~+/=:%-]{8,})`,
		Note:    "HTTP credentials (RFC 9110) with or without the name of the header",
	},
	{
		ID: "authorization-header", Keywords: []string{"authorization"}, lead: leadAny, reach: 4096, check: checkMixed,
		Pattern: `^(?i:authorization)` + assign + `(?:[A-Za-z][A-Za-z0-9-]{1,24} )?(?:[A-Za-z]{1,12}=)?\\?["']?([A-Za-z0-9._~+/=:!@-]{16,})`, Note: "a bare token in the header, or one behind the name of another scheme",
	},
	{
		ID: "cookie-header", Keywords: []string{"cookie"}, lead: leadAny, reach: 4096, check: checkHeader,
		Pattern: `^(?i:cookie2?)["']?(?:: ?| ?, ?| ?= ?|\s)["']?([A-Za-z0-9_.%$-]{1,80}=[^\s"'<>\x00;,]{6,}(?:; ?[A-Za-z0-9_.%$-]{1,80}(?:=[^;"'\r\n<>\x00\\]*)?)*)`,
		Note:    "session values of requests and answers (RFC 6265)",
	},
	{
		ID: "session-cookie", Keywords: []string{"sessionid=", "session=", "sid=", "sessid=", "csrftoken=", "_session="}, reach: 1024, check: checkNoHash,
		Pattern: `^(?i:[a-z_]*)=([A-Za-z0-9%._~+/-]{20,}={0,2})`, lead: leadAny, Note: "cookies with the usual names, outside a header",
	},
	{
		ID: "api-key-header", Keywords: []string{"x-api-key", "x-auth-token", "x-access-token", "x-goog-api-key", "api-key:", "apikey:", "ocp-apim-subscription-key", "private-token", "x-amz-security-token"}, lead: leadAny, reach: 2048, check: checkMixed,
		Pattern: `^(?i:x-(?:api-key|auth-token|access-token|goog-api-key|amz-security-token)|api-?key|ocp-apim-subscription-key|private-token)` + assign + `([A-Za-z0-9._~+/=-]{8,})`, Note: "keys in headers of their own",
	},
	{
		ID: "netrc-password", Keywords: []string{"machine "}, check: checkNone, reach: 512,
		Pattern: `^(?i:machine\s+[^\s\x00]+(?:\s|\\n)+login(?:\s|\\n)+[^\s\x00\\]+(?:\s|\\n)+password(?:\s|\\n)+)([^\s"'\x00\\]{3,})`, Note: ".netrc entries",
	},
	{
		ID: "netrc-password", Keywords: []string{"login "}, check: checkMixed, reach: 512,
		Pattern: `^(?i:login(?:\s|\\n)+[^\s\x00\\]+(?:\s|\\n)+password(?:\s|\\n)+)([^\s"'\x00\\]{6,})`, Note: "the second half of such an entry",
	},
	{
		ID: "secret-setting", Keywords: []string{
			"secret", "token", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "private_key", "privatekey", "private-key", "auth_key", "authkey",
			"encryption_key", "encryption-key", "signing_key", "signing-key", "master_key", "account_key", "license_key", "credential", "api key", "signature_key", "webhook_key", "service_key", "jwt_key",
		},
		lead: leadAny, reach: 96, check: checkSetting,
		Pattern: `^(?i:(?:api|access|auth)[_ -]?key|(?:private|encryption|signing|master|account|license|signature|webhook|service|jwt)[_-]?key|secret|token|credentials?)` + suffix + operator, value: true, Note: "settings, flags and fields with a telling name and a value that looks random",
	},
	{
		ID: "password-setting", Keywords: []string{"password", "passwd", "passphrase", "pwd", "passcode", "kennwort", "passwort", "contraseña", "пароль", "Пароль", "mot de passe", "密码", "密碼", "パスワード", "비밀번호"},
		lead: leadAny, reach: 96, check: checkPassword,
		Pattern: `^(?i:pass(?:word|wd|phrase|code|wort)|pwd|kennwort|contraseña|пароль|mot de passe|密码|密碼|パスワード|비밀번호)` + suffix + operator, value: true, Note: "passwords by name",
	},
	{
		ID: "password-setting", Keywords: []string{"password", "passwd", "passphrase", "pwd", "passcode", "_pass"}, lead: leadAny, reach: 256, must: []string{"value", "VALUE", "Value"}, check: checkPassword,
		Pattern: `^(?i:_pass|pass(?:word|wd|phrase|code)|pwd)` + besideName, value: true, Note: "a name and its value in lines of their own, as containers have their variables",
	},
	{
		ID: "secret-setting", Keywords: []string{"secret", "token", "api_key", "api-key", "apikey", "access_key", "access-key", "private_key", "auth_key", "signing_key", "encryption_key", "credential"}, lead: leadAny, reach: 256,
		must: []string{"value", "VALUE", "Value"}, check: checkSetting,
		Pattern: `^(?i:secret|token|(?:api|access|auth|private|signing|encryption)[_-]?key|credentials?)` + besideName, value: true, Note: "the same for secrets",
	},
}

// Pieces of patterns.
const (
	// keyLine is a further line of a private key, behind whatever each line of
	// the text begins and ends with: a mark, a number, a color. A short one,
	// the last, only behind marks or with its padding.
	keyLine = `(?:(?:\x1b?\[[\d;]*[mK]|[^\n\x00\\A-Za-z0-9+/=]){0,8}(?:\r?\n|\\+n)(?:[^\n\x00]{0,80}?[A-Za-z0-9+/=]{40,}|[^\n\x00]{0,80}?[^\n\x00A-Za-z0-9+/=][A-Za-z0-9+/]{4,60}={1,2}|[ \t>|+#*/"'│-]{1,8}[A-Za-z0-9+/=]{12,}))`
	// urlWord is a run of what a user or a password of a URL is made of; urlUser
	// may be the address of a mail.
	urlWord = "(?:[^\\s\"'`<>@/?#\\x00\\\\]|\\\\[^\\snrt\"'`@\\x00\\\\])*"
	urlUser = "[^\\s\"'`<>/?#:\\x00\\\\]*"
	// assign is what stands between a name and its value.
	assign = "(?:%22|[\"'`\\]\\\\])*(?:\\s{0,3}(?::=|=>|=|:|：|＝|,|\\+?%3[Dd]\\+?|\\+?%3[Aa]\\+?|\\\\u003[Dd])\\s{0,3}|\\s{1,3})(?:%22|[\"'`\\\\])*"
	// operator is the same for settings, where a blank alone is not enough but
	// after a flag.
	operator = "(?:%22|[\"'`\\]\\\\])*(?:\\s{0,3}(?::=|=>|===?|=|:|：|＝|\\+?%3[Dd]\\+?|\\+?%3[Aa]\\+?|\\\\u003[Dd])\\s{0,3}|\\s{1,3}(?:is|are|was|ist|est|es|è)\\s{0,2}:?\\s{1,2}|\\s{1,3})"
	// besideName leads from such a name to its value.
	besideName = "(?i:(?:[_.-][a-z0-9]{1,12})?)(?:%22|[\"'`\\\\])*(?:\\s|,|\\\\n){1,60}(?:%22|[\"'`\\\\-])*(?i:value)" + assign
	// suffix is what a telling name may end with.
	suffix = "(?i:[_-]?(?:key|base|value|prod|production|dev|live|test|staging|old|new|str|string|\\d{1,2})){0,2}"
	uuid   = `([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})`
)
