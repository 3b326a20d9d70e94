import { entropyOf } from "./entropy.ts";

/** Letters, then at most a short number: `prod`, `v2`, `winter2024`, `63B`, `TokenStore`. */
const WORDLIKE = /^(?:[A-Za-z]{1,24}[0-9]{0,4}|[0-9]{1,6}[A-Za-z]{0,2})$/;

/** Whether a value is made of words that somebody put together, as names of things are. */
export function isMadeOfWords(value: string): boolean {
  const parts = value.split(/[-_.:/@+#~=|,]/);
  return parts.every((part) => part === "" || (WORDLIKE.test(part) && readsAsWords(part)));
}

/** Random letters change their case at every other place, or hardly have a vowel. */
function readsAsWords(part: string): boolean {
  const letters = part.replace(/[0-9]/g, "");
  if (letters.length < 6) return true;
  const changes = letters.match(/[a-z][A-Z]/g)?.length ?? 0;
  const vowels = letters.match(/[aeiouyäöü]/gi)?.length ?? 0;
  return changes * 5 <= letters.length && vowels * 6 >= letters.length;
}

/** Whether a value reads as drawn by a machine: a key or token, no word, name or sentence. */
export function looksRandom(value: string): boolean {
  if (value.length < 10 || isMadeOfWords(value)) return false;
  if (!/[0-9]/.test(value) && !/[^A-Za-z0-9._/-]/.test(value) && value.length < 20) return false;
  return entropyOf(value) >= (value.length < 20 ? 2.6 : 3);
}
