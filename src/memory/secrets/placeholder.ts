const WORDS = new Set(
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

/** `your-token`, `my_api_key_2`, `test-secret`, `password123`: only words that say what goes there. */
const NAMING_WORD =
  /^(?:a|an|the|my|your|our|some|new|old|test|testing|tests|fake|dummy|mock|example|sample|default|super|top|very|db|database|app|user|users|admin|client|server|service|prod|dev|staging|local|root|demo|ci|here|goes|insert|replace|change|changeme|me|it|this|with|in|production|enter|put|set|from|real|actual|secret|secrets|password|passwd|passphrase|pass|pw|pwd|token|tokens|key|keys|api|apikey|access|auth|bearer|private|public|credential|credentials|value|string|id|name|not|for|only|please|to|be|long|random|github|gitlab|slack|stripe|openai|aws|abc|xyz|foo|bar|baz|v[0-9]|[0-9]{1,4})$/;

const REFERENCE =
  /^(?:\$|%[A-Za-z]|\{\{|<|\.{3}|…|process\.env|os\.environ|os\.getenv|env[.([]|ENV[[(]|config[.([]|settings\.|secrets\.|vars\.|vault:|op:\/\/|arn:|ssm:|gcp:|azurekv:|sops|ENC\[|\[masked:|\/(?![A-Za-z0-9+/]{38,200}={0,2}$)|\.{1,2}\/|~\/|https?:|file:|[A-Za-z]:\\|@[A-Za-z./])/;

/** Without digits or the like, long rows of one sign: `xxxxxxxx`, `****`, `------`. */
const FILLER = /(?:x{5}|X{5}|\*{3}|•{3}|\.{3}|…|_{6}|-{6}|0{12}|1{12})/;

export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value) || FILLER.test(value)) return true;
  const word = value.toLowerCase().replace(/[.!?,:;]{1,3}$/, "");
  if (WORDS.has(word) || /example|placeholder|redacted|change.?me|your[-_]/.test(word)) return true;
  const parts = word.split(/[-_.\s]/).flatMap((part) => part.split(/(?<=[a-z])(?=[0-9]{1,4}$)/));
  return parts.every((part) => NAMING_WORD.test(part));
}
