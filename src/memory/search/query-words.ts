import { ENGLISH_STOP_WORDS } from "./english-stop-words.ts";
import { foldText } from "./fold-text.ts";
import { UNSPACED_SCRIPT } from "./searchable-text.ts";
import { wordForms } from "./word-forms.ts";

/** Only the first words of a long query are searched; the rest would only cost time. */
const MAX_WORDS = 64;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const UNSPACED_RUN = new RegExp(`${UNSPACED_SCRIPT.source}+`, "gu");

/** Every word of a text in lower case, in the order of the text, repeats included. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

export function isStopWord(word: string): boolean {
  return ENGLISH_STOP_WORDS.has(word);
}

/**
 * The distinct words to search for; none if the text holds only stop words. Scripts without spaces are
 * searched by pairs of neighbouring characters: `記憶庫` gives `記 憶`, `憶 庫`.
 */
export function queryWords(text: string): string[] {
  const words = wordsOf(foldText(`${text} ${wordForms(text)}`))
    .flatMap(splitUnspaced)
    .filter((word) => !isStopWord(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The forms in which a word is indexed: pairs of neighbouring characters for scripts without spaces. */
export function splitUnspaced(word: string): string[] {
  const runs = word.match(UNSPACED_RUN);
  if (runs === null) return [word];
  const spaced = word.replace(UNSPACED_RUN, " ").split(" ").filter(Boolean);
  return [...spaced, ...runs.flatMap(pairsOf)];
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]} ${character}`);
}
