import type { FoundSecret } from "./found-secret.ts";

/** The frame of a private key, or a word beside which a secret stands. */
const TELLTALE_WORD = /-----BEGIN|password|passwd|secret/i;
/** An address with a password in it; bounded, so that no text makes it read ahead far. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/:@]{0,256}:[^\s/@]{0,256}@/;
/** Tokens are long runs without a space. */
const LONG_RUN = /\S{16,}/g;

/** Keys and tokens of known formats, in order; the rules are loaded by the first suspicious text. */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  if (!mayHoldASecret(text)) return [];
  const { lintText } = await import("./lint-text.ts");
  return withoutOverlaps(await lintText(text));
}

/** Every known format has one of these marks. Reads each character a bounded number of times. */
function mayHoldASecret(text: string): boolean {
  if (TELLTALE_WORD.test(text) || ADDRESS_WITH_PASSWORD.test(text)) return true;
  for (const [run] of text.matchAll(LONG_RUN)) {
    if (/[0-9]/.test(run) && /[A-Za-z]/.test(run)) return true;
  }
  return false;
}

function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (secret.start >= (kept.at(-1)?.end ?? 0)) kept.push(secret);
  }
  return kept;
}
