import { entropyOf } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import { type NamedAs, namedAs } from "./secret-names.ts";

/** Letters, then at most a short number: `prod`, `v2`, `winter2024`, `63B`, `TokenStore`. */
const WORDLIKE = /^(?:[A-Za-z]{1,24}[0-9]{0,4}|[0-9]{1,6}[A-Za-z]{0,2})$/;

/** True if a value is made of words that somebody put together, as names of things are. */
function isMadeOfWords(value: string): boolean {
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

/** True if a value reads as drawn by a machine: a key or token, no word, name or sentence. */
function looksRandom(value: string): boolean {
  if (value.length < 10 || isMadeOfWords(value)) return false;
  if (!/[0-9]/.test(value) && !/[^A-Za-z0-9._/-]/.test(value) && value.length < 20) return false;
  return entropyOf(value) >= (value.length < 20 ? 2.6 : 3);
}

export type ValueForm = "setting" | "quoted" | "bare";

export interface NamedValue {
  readonly value: string;
  readonly namedAs: NamedAs;
  readonly form: ValueForm;
}

/** What a value is by the name of its field alone, as `{ "password": "…" }` has it. */
export function kindOfNamed(name: string, value: string): NamedAs | undefined {
  const as = namedAs(name);
  return as !== undefined && isSecretValue({ value, namedAs: as, form: "quoted" }) ? as : undefined;
}

/** True if what stands beside the name of a secret is one, and not a word about it. */
export function isSecretValue({ value, namedAs, form }: NamedValue): boolean {
  if (value.length < 4 || value.length > 512 || isPlaceholder(value)) return false;
  if (form === "bare" && isCode(value)) return false;
  return namedAs === "password" ? isPassword(value, form) : isKey(value, form);
}

function isPassword(value: string, form: ValueForm): boolean {
  if (/\s/.test(value)) return false;
  if (form !== "bare") return value.length >= 5 || /[^A-Za-z]/.test(value);
  if (isPassphrase(value)) return true;
  if (value.length < 6 || !/[A-Za-z]/.test(value)) return /^[0-9]{6,}$/.test(value);
  if (/^[A-Za-z]+(?:[-_'][A-Za-z]+){0,8}$/.test(value)) return isOddCase(value);
  return /[0-9]/.test(value) ? !isName(value) : /[!@#$%^&*+=?~]/.test(value);
}

function isKey(value: string, form: ValueForm): boolean {
  if (/\s/.test(value)) return false;
  if (looksRandom(value)) return true;
  if (form !== "setting") return false;
  if (/^[A-Za-z]{20,}$/.test(value)) return isOddCase(value);
  return value.length >= 8 && /[0-9]/.test(value) && !isMadeOfWords(value);
}

/** Words of at least four letters, four of them or more, as some programs draw them. */
const isPassphrase = (value: string): boolean =>
  /^[A-Za-z]{3,12}(?:[-_.][A-Za-z]{3,12}){3,7}[0-9]{0,4}$/.test(value);

/** `TrUstNo` or the like: nobody writes a word so. */
const isOddCase = (value: string): boolean => (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3;

/** `sha256-hashed`, `utf8_bin`, `v2.1`: several words, and the number belongs to one of them. */
function isName(value: string): boolean {
  const numbered = value.split(/[-_./:]/).filter((part) => /[0-9]/.test(part));
  const isMixed = numbered.length > 1 && /[A-Z]/.test(value) && /[a-z]/.test(value);
  return /[-_./:]/.test(value) && isMadeOfWords(value) && !isMixed;
}

/** `getToken(`, `req.body.password`, `newPassword`. */
function isCode(value: string): boolean {
  if (/^[[({]|^[\w.$]{1,80}[([]/.test(value)) return true;
  if (/^[A-Za-z_$][\w$]{0,60}(?:[?!]?\.[A-Za-z_$][\w$]{0,60}){1,6}[?!]?$/.test(value)) {
    return isMadeOfWords(value.replaceAll(/[?!]/g, ""));
  }
  return /^[a-z]{2,20}(?:[A-Z][a-z]{1,20}){1,5}[0-9]?$/.test(value) && isMadeOfWords(value);
}
