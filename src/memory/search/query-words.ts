import { foldText } from "./fold-text.ts";
import { listWordForms, UNSPACED_SCRIPT } from "./searchable-text.ts";

/** English stop words. `may` is excluded because it is also a month. */
const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about above after again against all am an and any are aren as at be because been before " +
    "being below between both but by can cannot could couldn d did didn do does doesn doing don " +
    "down during each few for from further had hadn has hasn have haven having he her here hers " +
    "herself him himself his how i if in into is isn it its itself just ll m me might more most " +
    "mustn my myself no nor not now o of off on once only or other our ours ourselves out over " +
    "own re s same shall she should shouldn so some such t than that the their theirs them " +
    "themselves then there these they this those through to too under until up us ve very was " +
    "wasn we were weren what when where which while who whom whose why will with won would " +
    "wouldn y you your yours yourself yourselves"
  ).split(" "),
);

/** Only the first words of a long query are searched. */
const MAX_WORDS = 64;
const WORD_PATTERN = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const UNSPACED_RUN = new RegExp(`${UNSPACED_SCRIPT.source}+`, "gu");

export function splitWords(text: string): string[] {
  return text.toLowerCase().match(WORD_PATTERN) ?? [];
}

export function isStopWord(word: string): boolean {
  return ENGLISH_STOP_WORDS.has(word);
}

/**
 * Returns the distinct words to search for; none if there are only stop words. Scripts without
 * spaces are split into pairs of adjacent characters: `記憶庫` gives `記 憶`, `憶 庫`.
 */
export function parseQueryWords(text: string): string[] {
  const words = splitWords(foldText(`${text} ${listWordForms(text)}`))
    .flatMap(splitUnspaced)
    .filter((word) => !isStopWord(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Returns the indexed forms of a word: character pairs for scripts without spaces. */
export function splitUnspaced(word: string): string[] {
  const runs = word.match(UNSPACED_RUN);
  if (runs === null) return [word];
  const spaced = word.replace(UNSPACED_RUN, " ").split(" ").filter(Boolean);
  return [...spaced, ...runs.flatMap(characterPairs)];
}

function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]} ${character}`);
}
