import { escapePattern } from "../../shared/text.ts";
import { findCommandSecrets } from "./find-command-secrets.ts";
import type { FoundSecret, NamedAs } from "./judge-value.ts";
import {
  computeEntropy,
  findAssignedSecrets,
  isPlaceholder,
  isSecretValue,
} from "./judge-value.ts";
import { TOKEN_FORMATS, type TokenFormat } from "./token-formats.ts";

const MIN_ENTROPY = 2;
/** Allows tokens longer than the known format. */
const TOKEN_CHARACTER = /[\w=-]/;
const AWS_SECRET = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

const TOKEN_MARKERS = TOKEN_FORMATS.flatMap(({ marks }) => marks).sort(
  (a, b) => b.length - a.length,
);
/** Matches the longest mark at a position; shorter ones are its prefixes. */
const LONGEST_MARKER = new RegExp(`(?=(${TOKEN_MARKERS.map(escapePattern).join("|")}))`, "g");

function findFormats(text: string): readonly TokenFormat[] {
  const longest = new Set<string>();
  for (const [, mark = ""] of text.toLowerCase().matchAll(LONGEST_MARKER)) longest.add(mark);
  if (longest.size === 0) return [];
  return TOKEN_FORMATS.filter(({ marks }) =>
    marks.some((marker) => [...longest].some((found) => found.startsWith(marker))),
  );
}

function findTokens(text: string): FoundSecret[] {
  const found = findFormats(text).flatMap((format) => findOfFormat(text, format));
  const hasKeyId = found.some(({ kind }) => kind === "aws-access-key-id");
  return [...found, ...(hasKeyId ? findAwsSecrets(text) : []), ...findBasicCredentials(text)];
}

function findOfFormat(text: string, { kind, pattern, entropy }: TokenFormat): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    if (computeEntropy(secret) < (entropy ?? MIN_ENTROPY) || isOrdinaryName(secret)) continue;
    let end = start + secret.length;
    if (match.groups?.secret === undefined) while (TOKEN_CHARACTER.test(text[end] ?? "")) end += 1;
    found.push({ start, end, kind });
  }
  return found;
}

/** Excludes names such as `sk-learn-compatible-estimators`. */
function isOrdinaryName(secret: string): boolean {
  if (isPlaceholder(secret) || /^[$%{<*]/.test(secret)) return true;
  if (/[0-9]/.test(secret)) return false;
  return secret.split(/[-_]/).every((part) => /^(?:[a-z]{1,14}|[A-Z]{1,14})$/.test(part));
}

function findAwsSecrets(text: string): FoundSecret[] {
  return Array.from(text.matchAll(AWS_SECRET))
    .filter(([secret]) => computeEntropy(secret) >= 4 && !/^[0-9a-f]{40}$/.test(secret))
    .map(({ 0: secret, index }) => ({
      start: index,
      end: index + secret.length,
      kind: "aws-secret-access-key",
    }));
}

const BASIC_CREDENTIALS =
  /(?<![A-Za-z0-9])basic[ \t]{1,3}(?<secret>[A-Za-z0-9+/]{8,1000}={0,2})/dgi;

/** `Basic` followed by Base64-encoded credentials. */
function findBasicCredentials(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(BASIC_CREDENTIALS)) {
    const [start = 0, end = 0] = match.indices?.groups?.secret ?? [];
    const read = Buffer.from(match.groups?.secret ?? "", "base64").toString("latin1");
    if (/^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,400}$/.test(read)) {
      found.push({ start, end, kind: "basic-credentials" });
    }
  }
  return found;
}

interface SpokenForm {
  readonly namedAs: NamedAs;
  readonly marks: readonly string[];
  readonly pattern: RegExp;
}

const VALUE_PATTERN = "[\"'`«“„‘(]{0,2}(?<value>[^\\s\"'`«»“”‘’<>\\\\]{4,256})";
const PASSWORD_NAMES =
  "(?:passwords?|passwd|passphrase|passcode|pass|pwd|pw|passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|пароль)";
const KEY_NAMES =
  "(?:(?:api|access|account|secret|private|signing|encryption|license|master)[ -]?key|secret|token|credentials?|key)";
const CERTAIN_KEY_NAMES = KEY_NAMES.replace("|key)", ")");
const PASSWORD_MARKERS = [
  "pass",
  "pwd",
  "pw",
  "wort",
  "contraseña",
  "senha",
  "wachtwoord",
  "пароль",
];
const KEY_MARKERS = ["key", "secret", "token", "credential"];
const VERB_PATTERN =
  "(?:is|are|was|were|to|as|be|now|=|ist|lautet|war|est|es|é|является)(?: (?:now|still|currently|always|set to|just|jetzt))?";
const OWNER_PATTERN = "(?: [\\p{L}\\p{N}_@/.-]{1,40}){0,6}?";

export const SPOKEN_FORMS: readonly SpokenForm[] = [
  {
    namedAs: "password",
    marks: PASSWORD_MARKERS,
    pattern: createForm(
      `\\b${PASSWORD_NAMES}${OWNER_PATTERN} ${VERB_PATTERN}:? {0,2}${VALUE_PATTERN}`,
    ),
  },
  {
    namedAs: "password",
    marks: PASSWORD_MARKERS,
    pattern: createForm(`(?<![\\w-])${PASSWORD_NAMES}:? {1,2}${VALUE_PATTERN}`),
  },
  {
    namedAs: "key",
    marks: KEY_MARKERS,
    pattern: createForm(`\\b${KEY_NAMES}${OWNER_PATTERN} ${VERB_PATTERN}:? {0,2}${VALUE_PATTERN}`),
  },
  {
    namedAs: "key",
    marks: KEY_MARKERS,
    pattern: createForm(`\\b${CERTAIN_KEY_NAMES}:? {1,2}${VALUE_PATTERN}`),
  },
  {
    namedAs: "key",
    marks: ["bearer", "apikey", "api-key"],
    pattern: createForm(`\\b(?:bearer|apikey|api-key) {1,3}${VALUE_PATTERN}`),
  },
  {
    namedAs: "password",
    marks: ["log in", "login", "sign in", "credential", "creds", "account", "zugangsdaten"],
    pattern: createForm(
      `\\b(?:log ?in|login|sign in|credentials?|creds|account|zugangsdaten)(?: [\\w]{1,20}){0,3}?:? [\\w.@+-]{2,60} ?[/:] ?${VALUE_PATTERN}`,
    ),
  },
  {
    namedAs: "password",
    marks: ["pin"],
    pattern: /\b(?:PIN|pin code|Pin)(?: (?:is|code|:))? {1,2}(?<value>[0-9]{4,8})\b/dg,
  },
];

function createForm(source: string): RegExp {
  return new RegExp(source, "dgiu");
}

const KEY_HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,50}PRIVATE KEY(?: BLOCK)?-----/y;
const KEY_BODY = /[A-Za-z0-9+/=\s\\:,.()_-]/;
const MIN_ITEMS = 40;

function findPrivateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: header, index } of text.matchAll(KEY_HEADER)) {
    const end = findClosingQuote(text, index + header.length);
    if (end !== undefined) found.push({ start: index, end, kind: "private-key" });
  }
  return found;
}

function findClosingQuote(text: string, from: number): number | undefined {
  let at = from;
  for (; at < text.length; at += 1) {
    if (text.startsWith("-----", at)) {
      const closing = new RegExp(KEY_END);
      closing.lastIndex = at;
      if (closing.test(text)) return at - from < MIN_ITEMS ? undefined : closing.lastIndex;
      break;
    }
    if (!KEY_BODY.test(text[at] ?? "")) break;
  }
  return hasKey(text.slice(from, at)) ? at : undefined;
}

/** A key is one long run of characters, unlike a sentence. */
const hasKey = (body: string): boolean => /[A-Za-z0-9+/=]{40}/.test(body);

interface NormalizedText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const INVISIBLE_CHARACTER = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Removes invisible characters and normalizes full-width and styled letters, which hide a token
 * from patterns but not from readers. Undefined if unchanged.
 */
function normalizeDisguised(original: string): NormalizedText | undefined {
  if (original.normalize("NFKC") === original && !INVISIBLE_CHARACTER.test(original))
    return undefined;
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const plain = INVISIBLE_CHARACTER.test(character) ? "" : character.normalize("NFKC");
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(at);
      ends.push(end);
    }
    text += plain;
    at = end;
  }
  return text === original ? undefined : { text, starts, ends };
}

function findSpokenSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  const lower = text.toLowerCase();
  for (const { namedAs, marks, pattern } of SPOKEN_FORMS) {
    if (!marks.some((marker) => lower.includes(marker))) continue;
    for (const match of text.matchAll(pattern)) {
      const [start] = match.indices?.groups?.value ?? [];
      const value = trimmed(match.groups?.value ?? "");
      if (start === undefined || !isReported(value, namedAs, text[start - 1])) continue;
      found.push({ start, end: start + value.length, kind: namedAs });
    }
  }
  return found;
}

/** After "is", a sentence may follow, so only an unmistakable value is a secret. */
function isReported(value: string, namedAs: NamedAs, before: string | undefined): boolean {
  // A `key=value` word is classified by its own key.
  if (/^[A-Za-z_-]{1,24}=/.test(value)) return false;
  if (/^[0-9]{4,8}$/.test(value))
    return namedAs === "password" && !/^(?:19|20)[0-9]{2}$/.test(value);
  if (/^["'`“„]$/.test(before ?? "") && /[0-9!@#$%^&*]/.test(value)) {
    return isSecretValue({ value, namedAs, form: "quoted" });
  }
  return isSecretValue({ value, namedAs, form: "bare" });
}

/** Trims sentence punctuation, but not `!` and `?`, in which passwords may end. */
const trimmed = (value: string): string => value.replace(/[.,;:)\]}]{1,4}$/, "");

const SECRET_HINT = /password|passwd|secret|:\/\/[^\s/:@]{0,256}:[^\s/@]{0,256}@/i;
/** Tokens have no spaces; bounded, since longer matches exhaust the stack of the regex engine. */
const LONG_WORD = /\S{16,512}/g;

/** A word too short for a token, without a separator. */
const PLAIN_WORD = /^[\w.,!?#+-]{0,15}$/;

export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  if (PLAIN_WORD.test(text)) return [];
  const plain = normalizeDisguised(text);
  const found = await findInPlain(plain?.text ?? text);
  if (plain === undefined) return found;
  return found.map(({ start, end, kind }) => ({
    start: plain.starts[start] ?? start,
    end: plain.ends[end - 1] ?? end,
    kind,
  }));
}

async function findInPlain(text: string): Promise<FoundSecret[]> {
  const found = removeOverlaps([
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findCommandSecrets(text),
    ...findAssignedSecrets(text),
    ...findSpokenSecrets(text),
  ]);
  const others = await findByLint(text);
  const unknown = others.filter((other) => !found.some((known) => overlap(known, other)));
  return removeOverlaps([...found, ...unknown]);
}

async function findByLint(text: string): Promise<FoundSecret[]> {
  if (!mayMatchKnownForm(text)) return [];
  const { lintText } = await import("./lint-text.ts");
  const found = await lintText(text);
  return found.filter(({ start, end }) => !isPlaceholder(text.slice(start, end)));
}

function mayMatchKnownForm(text: string): boolean {
  if (SECRET_HINT.test(text)) return true;
  for (const [run] of text.matchAll(LONG_WORD)) {
    if (/[0-9]/.test(run) && /[A-Za-z]/.test(run)) return true;
  }
  return false;
}

const overlap = (a: FoundSecret, b: FoundSecret): boolean => a.start < b.end && b.start < a.end;

function removeOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const retained: FoundSecret[] = [];
  for (const secret of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = retained.at(-1);
    if (last === undefined || secret.start >= last.end) retained.push(secret);
    else if (secret.end > last.end) retained[retained.length - 1] = { ...last, end: secret.end };
  }
  return retained;
}

const MASK_PATTERN = /\[masked:[^\]]*\]/g;

export async function maskSecrets(text: string): Promise<string> {
  return applyMasks(text, await findSecrets(text));
}

export function applyMasks(text: string, secrets: readonly FoundSecret[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    masked += `${text.slice(from, start)}${getMask(kind)}`;
    from = end;
  }
  return masked + text.slice(from);
}

export const getMask = (kind: string): string => `[masked:${kind}]`;

export function isMasked(text: string): boolean {
  return text.search(MASK_PATTERN) >= 0;
}

/** Returns true if `masked` is the guard's output for `text`, regardless of kinds. */
export async function isMaskOf(masked: string, text: string): Promise<boolean> {
  const expected = applyMasks(text, await findSecrets(text));
  return expected.replace(MASK_PATTERN, "[masked]") === masked.replace(MASK_PATTERN, "[masked]");
}
