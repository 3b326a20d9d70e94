import { DISPUTABLE_TYPES } from "../episodes/episode-types.ts";
import type { ItemRecord } from "../listing/item.schema.ts";
import type { Memory } from "../memory.ts";
import { isWordRefused } from "./tool-preference.ts";

/** Maximum decisions and preferences, newest first, that are compared with a change or call. */
export const MAX_RULES = 500;

/** Loads decisions and preferences that nothing has replaced, newest first. */
export async function loadRules(
  memory: Memory,
  query: { readonly entity?: string; readonly limit: number },
  options: Parameters<Memory["execute"]>[2] = {},
): Promise<readonly ItemRecord[]> {
  const { items } = await memory.execute(
    "items",
    { ...query, kinds: ["episode"], type: [...DISPUTABLE_TYPES] },
    options,
  );
  return items.filter(({ status }) => status !== "superseded");
}

const MIN_LENGTH = 3;
const WORD_PATTERN = /[\p{L}_$][\p{L}\p{N}_$-]*/gu;
/** "No endpoint without a test": the word is rejected only under a condition. */
export const REQUIREMENT_PATTERN =
  /\b(?:no|never|not|kein\p{L}*|nie|pas de|ningún|nessun\p{L}*)\b([^.;:]*?)\b(?:without|unless|ohne|sans|sin|senza)\b([^.;:]*)/iu;
const COMMON_WORDS = new Set(
  "a an the any new more one other some that this and or for with from its into our we us you is are be to of in on at by it as not has have must".split(
    " ",
  ),
);

/** Returns the distinct words of a text and of its identifiers, in comparable form. */
export function listComparableWords(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(WORD_PATTERN)].flatMap(([word]) => [
    word,
    ...splitIdentifier(word),
  ]);
  return new Set(words.map(toComparable));
}

/** Splits an identifier: both `createEndpoint` and `create_endpoint` contain `endpoint`. */
function splitIdentifier(word: string): readonly string[] {
  const parts = word.split(/[_$-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
}

/** Lower case without the ending: `mock` for `mocks` and `Mocking`. */
export function toComparable(word: string): string {
  const small = word.toLowerCase();
  const stem = small.replace(/(?:ing|ed|es|s|e)$/, "");
  return stem.length < MIN_LENGTH ? small : stem;
}

/** Returns the distinct words of a statement that say what it is about. */
export function listDistinctiveWords(statement: string): readonly string[] {
  const words = new Set(Array.from(statement.matchAll(WORD_PATTERN), ([word]) => word));
  return [...words].filter(
    (word) => word.length >= MIN_LENGTH && !COMMON_WORDS.has(word.toLowerCase()),
  );
}

/**
 * Returns the first of these words that a decision or preference rejects: `moment` for "Use dayjs,
 * never moment". `used` contains words in comparable form.
 */
export function findRejectedWord(statement: string, used: ReadonlySet<string>): string | undefined {
  const shared = listDistinctiveWords(statement).filter((word) => used.has(toComparable(word)));
  if (shared.length === 0 || REQUIREMENT_PATTERN.test(statement)) return undefined;
  return shared.find((word) => isWordRefused(statement, word));
}
