import { groupBy } from "../../../kernel/group-by.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import {
  identifiesBy,
  isAmong,
  type NamedFile,
  namesTestsOf,
  saysWord,
  wordsOfFolder,
} from "./named-file.ts";

/** A word or a name of which more speak is one of the language, and not of a file. */
const MOST_SPEAKING = 3;
/** What is said in so many turns of a conversation is what it is about. */
const THEME_TURNS = 3;

/**
 * How much a way of speaking of the file says that it is this file that is spoken of. Its name is said
 * in passing; of what it defines hardly anybody speaks but who speaks of it.
 */
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
  /** By unit, how surely it speaks of the file. */
  readonly weights: ReadonlyMap<number, number>;
  /** Those that name the file or what it defines, and not only a word that it is called by. */
  readonly sure: ReadonlySet<number>;
}

/**
 * The units that speak of a file, each with how surely it does: by its path, by what it defines, by
 * the name of its tests, by a name of code that has its word in it, by the word alone, by what its
 * folder is called after.
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
  // Several ways to one name say the same thing; each thing that it defines says a further one.
  const weights = new Map<number, number>();
  for (const [unit, weight] of [...surely, ...ofWord(WORD, saysWord)].flatMap((way) => [...way])) {
    weights.set(unit, Math.max(weight, weights.get(unit) ?? 0));
  }
  for (const [unit, weight] of [...bySymbols, changed].flatMap((way) => [...way])) {
    weights.set(unit, weight + (weights.get(unit) ?? 0));
  }
  // Whoever changed a file in passing did not speak of it.
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

/** A word says something of few. */
function rare(...given: Parameters<typeof weighed>): Map<number, number> {
  const speaking = weighed(...given);
  return speaking.size > MOST_SPEAKING ? new Map() : speaking;
}

/** Units that say all the words of a folder, one of them all the time. */
function themes(said: readonly FoundPassage[], folder: string): Map<number, number> {
  const units = groupBy(said, ({ unit }) => unit);
  const about = [...units].filter(([, turns]) => {
    const saying = (word: string) => turns.filter(({ text }) => saysWord(text, word)).length;
    return wordsOfFolder(folder).some((words) => {
      const counts = words.map(saying);
      return counts.every((count) => count > 0) && Math.max(...counts) >= THEME_TURNS;
    });
  });
  return about.length > MOST_SPEAKING ? new Map() : new Map(about.map(([unit]) => [unit, FOLDER]));
}
