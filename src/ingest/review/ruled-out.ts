import { refusesWord } from "../../memory/index.ts";
import type { AddedLine } from "./changed-file.ts";

/** A word says enough to be known again. */
const SHORTEST = 3;
const WORDS = /[\p{L}_$][\p{L}\p{N}_$-]*/gu;
/** `no endpoint without OpenAPI`: the one asks for the other. */
const ASKS_FOR =
  /\b(?:no|never|not|kein\p{L}*|nie|pas de|ningún|nessun\p{L}*)\b([^.;:]*?)\b(?:without|unless|ohne|sans|sin|senza)\b([^.;:]*)/iu;
/** They stand in every sentence. */
const COMMON = new Set(
  "a an the any new more one other some that this and or for with from its into our we us you is are be to of in on at by it as not has have must".split(
    " ",
  ),
);

/** The words of lines as they are compared: without case, and singular. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(WORDS)].flatMap(([word]) => [word, ...partsOf(word)]);
  return new Set(words.map(comparable));
}

/** `createEndpoint` and `create_endpoint` speak of an endpoint. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/[_$-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
}

function comparable(word: string): string {
  const small = word.toLowerCase();
  return small.length > SHORTEST ? small.replace(/s$/, "") : small;
}

/** The first added line that holds a word which a sentence rules out. */
export function ruledOutLine(
  said: string,
  added: readonly AddedLine[],
): { readonly line: AddedLine; readonly word: string } | undefined {
  if (ASKS_FOR.test(said)) return undefined;
  const refused = [...new Set([...said.matchAll(WORDS)].map(([word]) => word))].filter(
    (word) => word.length >= SHORTEST && !COMMON.has(word.toLowerCase()) && refusesWord(said, word),
  );
  for (const word of refused) {
    const line = added.find(({ text }) => wordsOf(text).has(comparable(word)));
    if (line !== undefined) return { line, word };
  }
  return undefined;
}

/** What a sentence asks for beside something that the change brings, where it is nowhere in the change. */
export function lackingWord(
  said: string,
  added: readonly AddedLine[],
  wholeChange: ReadonlySet<string>,
): { readonly line: AddedLine; readonly word: string } | undefined {
  const [, brought = "", wanted = ""] = ASKS_FOR.exec(said) ?? [];
  const wantedWords = tellingWords(wanted);
  if (wantedWords.length === 0 || wantedWords.some((word) => wholeChange.has(comparable(word)))) {
    return undefined;
  }
  for (const word of tellingWords(brought)) {
    const line = added.find(({ text }) => wordsOf(text).has(comparable(word)));
    if (line !== undefined) return { line, word: wantedWords.join(" ") };
  }
  return undefined;
}

function tellingWords(text: string): readonly string[] {
  return [...text.matchAll(WORDS)]
    .map(([word]) => word)
    .filter((word) => word.length >= SHORTEST && !COMMON.has(word.toLowerCase()));
}
