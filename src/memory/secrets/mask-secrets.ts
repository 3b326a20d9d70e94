import { findSecrets } from "./find-secrets.ts";
import type { FoundSecret } from "./found-secret.ts";

const MASK = /\[masked:[^\]]*\]/g;

/** The text with a mark in place of each of its keys, tokens and passwords. */
export async function maskSecrets(text: string): Promise<string> {
  return withMasks(text, await findSecrets(text));
}

/** The text with a mark in place of each of these secrets. */
export function withMasks(text: string, secrets: readonly FoundSecret[]): string {
  let shown = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    shown += `${text.slice(from, start)}${maskOf(kind)}`;
    from = end;
  }
  return shown + text.slice(from);
}

export const maskOf = (kind: string): string => `[masked:${kind}]`;

export function isMasked(text: string): boolean {
  return text.search(MASK) >= 0;
}

/**
 * True if `masked` is how the guard passes `text` on. Kinds are not compared: what is beside a
 * secret can make it one of another kind.
 */
export async function isMaskOf(masked: string, text: string): Promise<boolean> {
  const shown = withMasks(text, await findSecrets(text));
  return shown.replace(MASK, "[masked]") === masked.replace(MASK, "[masked]");
}
