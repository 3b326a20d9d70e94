import { findAssignedSecrets } from "./find-assigned-secrets.ts";
import { findCommandSecrets } from "./find-command-secrets.ts";
import { findPrivateKeys } from "./find-private-keys.ts";
import { findSpokenSecrets } from "./find-spoken-secrets.ts";
import { findTokens } from "./find-tokens.ts";
import type { FoundSecret } from "./found-secret.ts";
import { isPlaceholder } from "./placeholder.ts";
import { undisguise } from "./undisguise.ts";

/** What secretlint's rules know has one of these; bounded, so that no text makes it read ahead far. */
const TELLTALE = /password|passwd|secret|:\/\/[^\s/:@]{0,256}:[^\s/@]{0,256}@/i;
/** Tokens are long runs without a space; bounded, since a longer match exhausts the stack of the regex engine. */
const LONG_RUN = /\S{16,512}/g;

/**
 * Keys, tokens and passwords in a text, in order, none within another. The one finder: whatever is
 * stored, captured, shown or diagnosed is looked through by it.
 */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  const plain = undisguise(text);
  const found = await findInPlain(plain?.text ?? text);
  if (plain === undefined) return found;
  return found.map(({ start, end, kind }) => ({
    start: plain.starts[start] ?? start,
    end: plain.ends[end - 1] ?? end,
    kind,
  }));
}

async function findInPlain(text: string): Promise<FoundSecret[]> {
  const found = withoutOverlaps([
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findCommandSecrets(text),
    ...findAssignedSecrets(text),
    ...findSpokenSecrets(text),
  ]);
  const others = await findByLint(text);
  // Of an address only the password is one, and not its host.
  const unknown = others.filter((other) => !found.some((known) => overlap(known, other)));
  return withoutOverlaps([...found, ...unknown]);
}

/** The rules of secretlint, which are loaded by the first suspicious text. */
async function findByLint(text: string): Promise<FoundSecret[]> {
  if (!mayBeOfAKnownForm(text)) return [];
  const { lintText } = await import("./lint-text.ts");
  const found = await lintText(text);
  return found.filter(({ start, end }) => !isPlaceholder(text.slice(start, end)));
}

function mayBeOfAKnownForm(text: string): boolean {
  if (TELLTALE.test(text)) return true;
  for (const [run] of text.matchAll(LONG_RUN)) {
    if (/[0-9]/.test(run) && /[A-Za-z]/.test(run)) return true;
  }
  return false;
}

const overlap = (a: FoundSecret, b: FoundSecret): boolean => a.start < b.end && b.start < a.end;

/** Of what begins at one place the longest, and of that the rule that knows it best. */
function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || secret.start >= last.end) kept.push(secret);
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
  }
  return kept;
}
