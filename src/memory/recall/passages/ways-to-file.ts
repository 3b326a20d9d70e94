import { groupBy } from "../../../shared/collections.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import {
  identifiesBy,
  isAmong,
  type NamedFile,
  namesTestsOf,
  saysWord,
  wordsOfFolder,
} from "./named-file.ts";

/** A word or name that more units use than this belongs to the language, not to a file. */
const MAX_SPEAKING = 3;
/** A word in this many turns of a conversation is its theme. */
const THEME_TURNS = 3;

const SYMBOL = 5;
const NAMED = 4;
const TESTS = 3;
const WORD = 2;
const CODE = 2;
const FOLDER = 2;
const CHANGED = 1;

export interface FoundPassage extends PassageRecord {
  readonly unit: number;
}

export interface WaysToFile {
  readonly weights: ReadonlyMap<number, number>;
  /** Units that name the file or a symbol of it, not only a word that also occurs in its name. */
  readonly sure: ReadonlySet<number>;
}

/**
 * The units that speak of a file, each with how surely it does: by its path, by what it defines, by
 * the name of its tests, by an identifier that contains its word, by the word alone, or by the
 * words of its folder.
 */
export function waysToFile(found: readonly FoundPassage[], file: NamedFile): WaysToFile {
  const said = found.filter(({ role }) => role !== "tool");
  const { word, folder, symbols } = file;
  const ofWord = (weight: number, speaks: (text: string, word: string) => boolean) =>
    word === undefined ? [] : [rare(weight, said, ({ text }) => speaks(text, word))];
  const bySymbols = symbols.map((symbol) =>
    rare(SYMBOL, said, ({ text }) => saysWord(text, symbol)),
  );
  const surely = [
    weighed(NAMED, said, ({ files }) => isAmong(file, files)),
    ...ofWord(TESTS, namesTestsOf),
    ...ofWord(CODE, identifiesBy),
    ...(folder === undefined ? [] : [themes(said, folder)]),
  ];
  const tools = found.filter(({ role }) => role === "tool");
  const changed = weighed(CHANGED, tools, ({ files }) => isAmong(file, files));
  const weights = new Map<number, number>();
  for (const [unit, weight] of [...surely, ...ofWord(WORD, saysWord)].flatMap((way) => [...way])) {
    weights.set(unit, Math.max(weight, weights.get(unit) ?? 0));
  }
  for (const [unit, weight] of [...bySymbols, changed].flatMap((way) => [...way])) {
    weights.set(unit, weight + (weights.get(unit) ?? 0));
  }
  // A commit that changed the file in passing does not speak of it.
  return {
    weights: new Map([...weights].filter(([, weight]) => weight > CHANGED)),
    sure: new Set([...surely, ...bySymbols].flatMap((way) => [...way.keys()])),
  };
}

function weighed(
  weight: number,
  found: readonly FoundPassage[],
  speaks: (passage: FoundPassage) => boolean,
): Map<number, number> {
  return new Map(found.filter(speaks).map(({ unit }) => [unit, weight]));
}

/** A word identifies a file only if few units contain it. */
function rare(...given: Parameters<typeof weighed>): Map<number, number> {
  const speaking = weighed(...given);
  return speaking.size > MAX_SPEAKING ? new Map() : speaking;
}

/** Units that contain all words of a folder, one of them throughout. */
function themes(said: readonly FoundPassage[], folder: string): Map<number, number> {
  const units = groupBy(said, ({ unit }) => unit);
  const about = [...units].filter(([, turns]) => {
    const saying = (word: string) => turns.filter(({ text }) => saysWord(text, word)).length;
    return wordsOfFolder(folder).some((words) => {
      const counts = words.map(saying);
      return counts.every((count) => count > 0) && Math.max(...counts) >= THEME_TURNS;
    });
  });
  return about.length > MAX_SPEAKING ? new Map() : new Map(about.map(([unit]) => [unit, FOLDER]));
}
