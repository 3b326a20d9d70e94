import type { FoundSecret } from "./found-secret.ts";

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,50}PRIVATE KEY(?: BLOCK)?-----/y;
/** What a key is written in, line ends within quotes and headings of the old form included. */
const BODY = /[A-Za-z0-9+/=\s\\:,.()_-]/;
const LEAST = 40;

/** Frames of private keys with what stands in them; one that was cut off goes to the end. */
export function findPrivateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: header, index } of text.matchAll(HEADER)) {
    const end = endOf(text, index + header.length);
    if (end !== undefined) found.push({ start: index, end, kind: "private-key" });
  }
  return found;
}

function endOf(text: string, from: number): number | undefined {
  let at = from;
  for (; at < text.length; at += 1) {
    if (text.startsWith("-----", at)) {
      const closing = new RegExp(END);
      closing.lastIndex = at;
      if (closing.test(text)) return at - from < LEAST ? undefined : closing.lastIndex;
      break;
    }
    if (!BODY.test(text[at] ?? "")) break;
  }
  return hasKey(text.slice(from, at)) ? at : undefined;
}

/** One long run, as no sentence behind the words has it. */
const hasKey = (body: string): boolean => /[A-Za-z0-9+/=]{40}/.test(body);
