import type { FoundSecret } from "./found-secret.ts";

/**
 * Every known format has one of these: a long run without a space that mixes letters and digits, an
 * address with a password, or the frame of a private key. Text without them costs one pass.
 */
const MAY_HOLD_A_SECRET =
  /(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[^\s]{16,}|:\/\/[^\s/]*:[^\s/]*@|-----BEGIN|password|passwd|secret/i;

/** Keys and tokens of known formats, in order; the rules are loaded by the first suspicious text. */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  if (!MAY_HOLD_A_SECRET.test(text)) return [];
  const { lintText } = await import("./lint-text.ts");
  return withoutOverlaps(await lintText(text));
}

function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (secret.start >= (kept.at(-1)?.end ?? 0)) kept.push(secret);
  }
  return kept;
}
