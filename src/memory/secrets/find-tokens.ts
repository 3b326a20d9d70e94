import { entropyOf } from "./entropy.ts";
import type { FoundSecret } from "./found-secret.ts";
import { isPlaceholder } from "./placeholder.ts";
import { TOKEN_FORMATS, type TokenFormat } from "./token-formats.ts";

/** Where no format asks for more: what is drawn by a machine has more than a word's filling. */
const LEAST_ENTROPY = 2;
/** A token that is longer than its form was when it was written down here is a token still. */
const GOES_ON = /[\w=-]/;
const AWS_SECRET = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** Keys and tokens that are told by their looks alone. */
export function findTokens(text: string): FoundSecret[] {
  const lower = text.toLowerCase();
  const found = TOKEN_FORMATS.flatMap((format) =>
    format.marks.some((mark) => lower.includes(mark)) ? ofFormat(text, format) : [],
  );
  const hasKeyId = found.some(({ kind }) => kind === "aws-access-key-id");
  return [...found, ...(hasKeyId ? awsSecrets(text) : []), ...basicCredentials(text)];
}

function ofFormat(text: string, { kind, pattern, entropy }: TokenFormat): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    if (entropyOf(secret) < (entropy ?? LEAST_ENTROPY) || isNoToken(secret)) continue;
    let end = start + secret.length;
    if (match.groups?.secret === undefined) while (GOES_ON.test(text[end] ?? "")) end += 1;
    found.push({ start, end, kind });
  }
  return found;
}

/** `sk-learn-compatible-estimators` begins like a key and has nothing of one. */
function isNoToken(secret: string): boolean {
  if (isPlaceholder(secret) || /^[$%{<*]/.test(secret)) return true;
  if (/[0-9]/.test(secret)) return false;
  return secret.split(/[-_]/).every((part) => /^(?:[a-z]{1,14}|[A-Z]{1,14})$/.test(part));
}

/** Beside the id of its key, forty characters are what belongs to it. */
function awsSecrets(text: string): FoundSecret[] {
  return Array.from(text.matchAll(AWS_SECRET))
    .filter(([secret]) => entropyOf(secret) >= 4 && !/^[0-9a-f]{40}$/.test(secret))
    .map(({ 0: secret, index }) => ({
      start: index,
      end: index + secret.length,
      kind: "aws-secret-access-key",
    }));
}

const BASIC = /(?<![A-Za-z0-9])basic[ \t]{1,3}(?<secret>[A-Za-z0-9+/]{8,1000}={0,2})/dgi;

/** `Basic` and what is a name and a password when it is read. */
function basicCredentials(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(BASIC)) {
    const [start = 0, end = 0] = match.indices?.groups?.secret ?? [];
    const read = Buffer.from(match.groups?.secret ?? "", "base64").toString("latin1");
    if (/^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,400}$/.test(read)) {
      found.push({ start, end, kind: "basic-credentials" });
    }
  }
  return found;
}
