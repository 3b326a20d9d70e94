export type NamedAs = "password" | "key";

const PASSWORD_NAMES =
  "passwords?|passwd|passphrase|passcode|passwort|kennwort|contraseña|contrasena|senha|mot de passe|wachtwoord|lösenord|parola|пароль|密码|パスワード";
/** Abbreviations, which also occur within other words. */
const SHORT_PASSWORD_NAMES = "pass|pwd|pswd|psw|pw";
const KEY_NAMES =
  "secret|(?<!(?:csrf|xsrf|authenticity|public|publishable|next|page|continuation|cancellation|sync)[-_ ]?)token|api[-_ ]?key|apikey|access[-_ ]?key|account[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|encryption[-_ ]?key|master[-_ ]?key|secret[-_ ]?key|auth[-_ ]?key|app[-_ ]?key|license[-_ ]?key|deploy[-_ ]?key|service[-_ ]?key|webhook[-_ ]?key|client[-_ ]?secret|credentials?|authorization|salt|cookie|session[-_ ]?key|shared[-_ ]?key|sharedaccesskey|storage[-_ ]?key|integration[-_ ]?key|write[-_ ]?key|hmac[-_ ]?key|jwt[-_ ]?key|storekey";
const SHORT_KEY_NAMES = "auth|creds?|dsn|sas";

/** Any `_KEY` except for public ones. */
const OTHER_KEY_NAMES =
  "(?<=[a-z0-9]_)(?<!(?:public|pub|publishable|primary|foreign|cache|sort|partition|range|bucket|object|row|hash|idempotency|group|issue|project|i18n|translation|site|s3|ssh|gpg|pgp|host|index|unique|natural|schema|sequence|hot|lookup|map|react|storage)_)key";

const NAME_SUFFIX =
  "(?:[-_]?(?:value|plain|plaintext|raw|base|base64|b64|hex|prod|production|dev|development|stag(?:e|ing)|test|live|old|new|current|previous|primary|secondary|backup|main|key|string|v?[0-9]{1,3})){0,2}";

export const SECRET_NAME = new RegExp(
  `(?:${PASSWORD_NAMES}|${KEY_NAMES})|(?<![A-Za-z])(?:${SHORT_PASSWORD_NAMES}|${SHORT_KEY_NAMES})|${OTHER_KEY_NAMES}`,
  "gi",
);

const PASSWORD_NAME = new RegExp(`^(?:${PASSWORD_NAMES}|${SHORT_PASSWORD_NAMES})$`, "i");
const WHOLE_SECRET_NAME = new RegExp(
  `(?:(?:${PASSWORD_NAMES}|${KEY_NAMES})|(?<![A-Za-z])(?:${SHORT_PASSWORD_NAMES}|${SHORT_KEY_NAMES})|${OTHER_KEY_NAMES})${NAME_SUFFIX}$`,
  "i",
);
export const NAME_SUFFIX_PATTERN = new RegExp(NAME_SUFFIX, "iy");

export const kindOfName = (word: string): NamedAs =>
  PASSWORD_NAME.test(word) ? "password" : "key";

function classifyName(name: string): NamedAs | undefined {
  if (name.length > 100) return undefined;
  // Splits camel case: `dbPass`.
  const split = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  if (!WHOLE_SECRET_NAME.test(split) && !WHOLE_SECRET_NAME.test(name)) return undefined;
  const words = [...split.matchAll(SECRET_NAME), ...name.matchAll(SECRET_NAME)];
  return words.some(([word]) => kindOfName(word) === "password") ? "password" : "key";
}

const PLACEHOLDER_WORDS = new Set(
  `admin any blank bool boolean bytes changeme default disabled dummy empty enabled example expired
  false fake foo foobar guest hashed hidden inherit int integer invalid masked missing mock
  mypassword n/a nil none null number object off on optional plain plaintext postgres private prompt
  public redacted removed required root sample secret secrets security set some something stdin str
  string stub tbd test testing todo token tokens true undefined unknown unset user username uuid
  value varchar void weak wrong yes bcrypt scrypt argon2 argon2i argon2d argon2id pbkdf2 md5 sha1
  sha256 sha384 sha512 hmac hs256 hs384 hs512 rs256 es256 ps256 eddsa base64 base64url hex ascii
  utf8 utf-8 oauth oauth2 oidc saml totp jwt jwe jws x509 pem ed25519 aes128 aes256 aes-256-gcm 2fa
  mfa basic bearer digest ldap kerberos keychain keyring 1password bitwarden hidden-input text type
  sha-1 sha-256 sha-512 md-5 hmac-sha256 aes-128 aes-256 rsa2048 rsa4096 rsa-2048 rsa-4096`.split(
    /\s+/,
  ),
);

/** Placeholders of naming words: `your-token`, `my_api_key_2`, `password123`. */
const DESCRIPTIVE_WORD =
  /^(?:a|an|the|my|your|our|some|new|old|test|testing|tests|fake|dummy|mock|example|sample|default|super|top|very|db|database|app|user|users|admin|client|server|service|prod|dev|staging|local|root|demo|ci|here|goes|insert|replace|change|changeme|me|it|this|with|in|production|enter|put|set|from|real|actual|secret|secrets|password|passwd|passphrase|pass|pw|pwd|token|tokens|key|keys|api|apikey|access|auth|bearer|private|public|credential|credentials|value|string|id|name|not|for|only|please|to|be|long|random|github|gitlab|slack|stripe|openai|aws|abc|xyz|foo|bar|baz|v[0-9]|[0-9]{1,4})$/;

const REFERENCE_START =
  /^(?:\$|%[A-Za-z]|\{\{|<|\.{3}|…|process\.env|os\.environ|os\.getenv|env[.([]|ENV[[(]|config[.([]|settings\.|secrets\.|vars\.|vault:|op:\/\/|arn:|ssm:|gcp:|azurekv:|sops|ENC\[|\[masked:|\/(?![A-Za-z0-9+/]{38,200}={0,2}$)|\.{1,2}\/|~\/|https?:|file:|[A-Za-z]:\\|@[A-Za-z./])/;

/** Placeholders of one repeated character: `xxxxxxxx`, `****`, `------`. */
const FILLER_RUN = /(?:x{5}|X{5}|\*{3}|•{3}|\.{3}|…|_{6}|-{6}|0{12}|1{12})/;

export function isPlaceholder(value: string): boolean {
  if (REFERENCE_START.test(value) || FILLER_RUN.test(value)) return true;
  const word = value.toLowerCase().replace(/[.!?,:;]{1,3}$/, "");
  if (PLACEHOLDER_WORDS.has(word) || /example|placeholder|redacted|change.?me|your[-_]/.test(word))
    return true;
  const parts = word.split(/[-_.\s]/).flatMap((part) => part.split(/(?<=[a-z])(?=[0-9]{1,4}$)/));
  return parts.every((part) => DESCRIPTIVE_WORD.test(part));
}

/** Letters followed by at most a short number: `prod`, `v2`, `winter2024`, `63B`, `TokenStore`. */
const WORDLIKE = /^(?:[A-Za-z]{1,24}[0-9]{0,4}|[0-9]{1,6}[A-Za-z]{0,2})$/;

function consistsOfWords(value: string): boolean {
  const parts = value.split(/[-_.:/@+#~=|,]/);
  return parts.every((part) => part === "" || (WORDLIKE.test(part) && readsAsWords(part)));
}

/** Random letters alternate case frequently or lack vowels. */
function readsAsWords(part: string): boolean {
  const letters = part.replace(/[0-9]/g, "");
  if (letters.length < 6) return true;
  const changes = letters.match(/[a-z][A-Z]/g)?.length ?? 0;
  const vowels = letters.match(/[aeiouyäöü]/gi)?.length ?? 0;
  return changes * 5 <= letters.length && vowels * 6 >= letters.length;
}

function looksRandom(value: string): boolean {
  if (value.length < 10 || consistsOfWords(value)) return false;
  if (!/[0-9]/.test(value) && !/[^A-Za-z0-9._/-]/.test(value) && value.length < 20) return false;
  return computeEntropy(value) >= (value.length < 20 ? 2.6 : 3);
}

export type ValueForm = "setting" | "quoted" | "bare";

export interface NamedValue {
  readonly value: string;
  readonly namedAs: NamedAs;
  readonly form: ValueForm;
}

/** Classifies a value by its field name alone, as in `{ "password": "…" }`. */
export function kindOfNamed(name: string, value: string): NamedAs | undefined {
  const as = classifyName(name);
  return as !== undefined && isSecretValue({ value, namedAs: as, form: "quoted" }) ? as : undefined;
}

/** Returns true for a secret value, as opposed to a word about secrets. */
export function isSecretValue({ value, namedAs, form }: NamedValue): boolean {
  if (value.length < 4 || value.length > 512 || isPlaceholder(value)) return false;
  if (form === "bare" && isCode(value)) return false;
  return namedAs === "password" ? isPassword(value, form) : isKey(value, form);
}

function isPassword(value: string, form: ValueForm): boolean {
  if (/\s/.test(value)) return false;
  if (form !== "bare") return value.length >= 5 || /[^A-Za-z]/.test(value);
  if (isPassphrase(value)) return true;
  if (value.length < 6 || !/[A-Za-z]/.test(value)) return /^[0-9]{6,}$/.test(value);
  if (/^[A-Za-z]+(?:[-_'][A-Za-z]+){0,8}$/.test(value)) return isOddCase(value);
  return /[0-9]/.test(value) ? !isName(value) : /[!@#$%^&*+=?~]/.test(value);
}

function isKey(value: string, form: ValueForm): boolean {
  if (/\s/.test(value)) return false;
  if (looksRandom(value)) return true;
  if (form !== "setting") return false;
  if (/^[A-Za-z]{20,}$/.test(value)) return isOddCase(value);
  return value.length >= 8 && /[0-9]/.test(value) && !consistsOfWords(value);
}

/** Four or more words of at least four letters. */
const isPassphrase = (value: string): boolean =>
  /^[A-Za-z]{3,12}(?:[-_.][A-Za-z]{3,12}){3,7}[0-9]{0,4}$/.test(value);

/** Unusual case such as `TrUstNo`. */
const isOddCase = (value: string): boolean => (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3;

/** Several words with an attached number: `sha256-hashed`, `utf8_bin`, `v2.1`. */
function isName(value: string): boolean {
  const numbered = value.split(/[-_./:]/).filter((part) => /[0-9]/.test(part));
  const isMixed = numbered.length > 1 && /[A-Z]/.test(value) && /[a-z]/.test(value);
  return /[-_./:]/.test(value) && consistsOfWords(value) && !isMixed;
}

/** Matches `getToken(`, `req.body.password`, `newPassword`. */
function isCode(value: string): boolean {
  if (/^[[({]|^[\w.$]{1,80}[([]/.test(value)) return true;
  if (/^[A-Za-z_$][\w$]{0,60}(?:[?!]?\.[A-Za-z_$][\w$]{0,60}){1,6}[?!]?$/.test(value)) {
    return consistsOfWords(value.replaceAll(/[?!]/g, ""));
  }
  return /^[a-z]{2,20}(?:[A-Z][a-z]{1,20}){1,5}[0-9]?$/.test(value) && consistsOfWords(value);
}

/** Shannon entropy in bits per character: 0 for one repeated character, 4 for random hex digits. */
export function computeEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/** Syntax between a name and its value. All but `next` are sticky patterns. */
export const ASSIGNMENT_PATTERNS = {
  /** Separators: `=`, `: `, `=>`, `:=`, `", "`, `">`, `" value="`, `|`. */
  assigns:
    /\\?["'`\])]{0,2}[ \t]{0,8}(?:\?=|\|\|=|:{1,3}=|=>|={1,2}|:|\\?["'`],(?= ?\\?["'`])|>(?=[^\s<])|\|(?= ?[^\s|]))(?:[ \t]{1,8}|(?:\r?\n[ \t]{1,8})(?=["'`]))?(?:[brf](?=["']))?/y,
  separate: /\\?["'`] {0,3}value=/iy,
  quoted:
    /\\?(?:"(?<double>[^"\n\\]{1,512})\\?"|'(?<single>[^'\n\\]{1,512})\\?'|`(?<back>[^`\n\\]{1,512})\\?`)/dy,
  bare: /[^\s"'`<>\\]{1,512}/y,
  /** Follows a value in a list. */
  next: /[;,&](?=$|[A-Za-z_][\w.-]{0,40}[=:]|[)\]}])/,
  scheme: /(?:bearer|basic|token|apikey|api-key|digest|negotiate)[ \t]{1,3}/iy,
};

/** Cheap filter: every assignment contains one of these. */
const SEPARATOR_CHARACTER = /[=:,>|]/;

/**
 * Finds values assigned to secret names: `DB_PASSWORD=…`, `"api_key": "…"`, `password: …`,
 * `AccountKey=…;`, `setenv("TOKEN", "…")`, `<password>…</password>`.
 */
export function findAssignedSecrets(text: string): FoundSecret[] {
  if (!SEPARATOR_CHARACTER.test(text)) return [];
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(SECRET_NAME)) {
    const { 0: word, index } = match;
    const secret = findValueNextToName(text, { word, begin: index, end: index + word.length });
    if (secret !== undefined) found.push(secret);
  }
  return found;
}

interface NameRange {
  readonly word: string;
  readonly begin: number;
  readonly end: number;
}

function findValueNextToName(
  text: string,
  { word, begin, end }: NameRange,
): FoundSecret | undefined {
  const name = matchAt(NAME_SUFFIX_PATTERN, text, end)?.end ?? end;
  const assigns =
    matchAt(ASSIGNMENT_PATTERNS.separate, text, name) ??
    matchAt(ASSIGNMENT_PATTERNS.assigns, text, name);
  if (assigns === undefined) return undefined;
  const namedAs = kindOfName(word);
  const quoted = matchAt(ASSIGNMENT_PATTERNS.quoted, text, assigns.end);
  if (quoted !== undefined) {
    const { double, single, back } = quoted.match.indices?.groups ?? {};
    const [start, stop] = double ?? single ?? back ?? [quoted.end, quoted.end];
    return judgeValue({ value: text.slice(start, stop), start, form: "quoted", namedAs });
  }
  const from = matchAt(ASSIGNMENT_PATTERNS.scheme, text, assigns.end)?.end ?? assigns.end;
  const bare = matchAt(ASSIGNMENT_PATTERNS.bare, text, from);
  if (bare === undefined) return undefined;
  const isSetting = isProgramText(text, { word, begin, end: name }, assigns.match[0]);
  return judgeValue({
    value: trimValue(bare.match[0]),
    start: from,
    form: isSetting ? "setting" : "bare",
    namedAs,
  });
}

interface JudgedValue {
  readonly value: string;
  readonly start: number;
  readonly form: ValueForm;
  readonly namedAs: NamedAs;
}

function judgeValue({ value, start, form, namedAs }: JudgedValue): FoundSecret | undefined {
  if (!isSecretValue({ value, namedAs, form })) return undefined;
  return { start, end: start + value.length, kind: namedAs };
}

/** Capital names without spaces, as in `DB_PASSWORD=…`, do not occur in prose. */
function isProgramText(text: string, { begin, end }: NameRange, assigns: string): boolean {
  return assigns === "=" && /^[A-Z0-9_]+$/.test(text.slice(begin, end));
}

function trimValue(value: string): string {
  const next = value.search(ASSIGNMENT_PATTERNS.next);
  const one = next < 0 ? value : value.slice(0, next);
  return one.replace(/[.,;:)\]}]{1,4}$/, "");
}

function matchAt(pattern: RegExp, text: string, index: number) {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = index;
  const match = sticky.exec(text);
  return match === null ? undefined : { match, end: sticky.lastIndex };
}

export interface FoundSecret {
  /** Offsets in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}
