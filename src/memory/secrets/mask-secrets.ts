import { findSecrets } from "./find-secrets.ts";
import type { FoundSecret } from "./found-secret.ts";

const MASK = /\[masked:[^\]]*\]/g;

/** The text with a mark in place of each of its secrets. */
export function withMasks(text: string, secrets: readonly FoundSecret[]): string {
  let shown = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    shown += `${text.slice(from, start)}[masked:${kind}]`;
    from = end;
  }
  return shown + text.slice(from);
}

export function isMasked(text: string): boolean {
  return text.search(MASK) >= 0;
}

/**
 * Whether `masked` is how the guard passes `text` on. Kinds are not compared: what is beside a
 * secret can make it one of another kind.
 */
export async function isMaskOf(masked: string, text: string): Promise<boolean> {
  const shown = withMasks(text, await findSecrets(text));
  return shown.replace(MASK, "[masked]") === masked.replace(MASK, "[masked]");
}
