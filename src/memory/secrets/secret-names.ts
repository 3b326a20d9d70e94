export type NamedAs = "password" | "key";

/** What people and programs call something that they choose. */
const PASSWORDS =
  "passwords?|passwd|passphrase|passcode|passwort|kennwort|contraseña|contrasena|senha|mot de passe|wachtwoord|lösenord|parola|пароль|密码|パスワード";
/** Short forms, which are parts of other words too. */
const SHORT_PASSWORDS = "pass|pwd|pswd|psw|pw";
const KEYS =
  "secret|(?<!(?:csrf|xsrf|authenticity|public|publishable|next|page|continuation|cancellation|sync)[-_ ]?)token|api[-_ ]?key|apikey|access[-_ ]?key|account[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|encryption[-_ ]?key|master[-_ ]?key|secret[-_ ]?key|auth[-_ ]?key|app[-_ ]?key|license[-_ ]?key|deploy[-_ ]?key|service[-_ ]?key|webhook[-_ ]?key|client[-_ ]?secret|credentials?|authorization|salt|cookie|session[-_ ]?key|shared[-_ ]?key|sharedaccesskey|storage[-_ ]?key|integration[-_ ]?key|write[-_ ]?key|hmac[-_ ]?key|jwt[-_ ]?key|storekey";
const SHORT_KEYS = "auth|creds?|dsn|sas";

/** `_KEY` behind whatever else, but for those that everybody may know. */
const OTHER_KEYS =
  "(?<=[a-z0-9]_)(?<!(?:public|pub|publishable|primary|foreign|cache|sort|partition|range|bucket|object|row|hash|idempotency|group|issue|project|i18n|translation|site|s3|ssh|gpg|pgp|host|index|unique|natural|schema|sequence|hot|lookup|map|react|storage)_)key";

const MORE =
  "(?:[-_]?(?:value|plain|plaintext|raw|base|base64|b64|hex|prod|production|dev|development|stag(?:e|ing)|test|live|old|new|current|previous|primary|secondary|backup|main|key|string|v?[0-9]{1,3})){0,2}";

export const NAME_OF_A_SECRET = new RegExp(
  `(?:${PASSWORDS}|${KEYS})|(?<![A-Za-z])(?:${SHORT_PASSWORDS}|${SHORT_KEYS})|${OTHER_KEYS}`,
  "gi",
);

const IS_PASSWORD = new RegExp(`^(?:${PASSWORDS}|${SHORT_PASSWORDS})$`, "i");
const WHOLE_NAME = new RegExp(
  `(?:(?:${PASSWORDS}|${KEYS})|(?<![A-Za-z])(?:${SHORT_PASSWORDS}|${SHORT_KEYS})|${OTHER_KEYS})${MORE}$`,
  "i",
);
export const MORE_OF_A_NAME = new RegExp(MORE, "iy");

export const kindOfName = (word: string): NamedAs => (IS_PASSWORD.test(word) ? "password" : "key");

/** What a whole name, as `DB_PASSWORD` or `apiKey`, says of the value beside it. */
export function namedAs(name: string): NamedAs | undefined {
  if (name.length > 100) return undefined;
  // `dbPass`: a capital letter begins a word.
  const split = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  if (!WHOLE_NAME.test(split) && !WHOLE_NAME.test(name)) return undefined;
  const words = [...split.matchAll(NAME_OF_A_SECRET), ...name.matchAll(NAME_OF_A_SECRET)];
  return words.some(([word]) => kindOfName(word) === "password") ? "password" : "key";
}
