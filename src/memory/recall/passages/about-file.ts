import type { Tx } from "../../../database/index.ts";
import { groupBy } from "../../../shared/collections.ts";
import { passageId } from "../../input/item-ids.ts";
import { matchTexts } from "../../search/match-texts.ts";
import { parseQueryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import { scoreByActivation } from "../rank.ts";
import { loadPassageCandidates } from "./load-passage-candidates.ts";
import type { PassageScope } from "./load-units.ts";
import { loadUnits, selectSettledPassages, stripCode, type UnitPassage } from "./load-units.ts";
import {
  containsWord,
  identifiesBy,
  isAmongWords,
  type NamedFile,
  namesTests,
  splitFolderWords,
} from "./named-file.ts";
import type { RecalledPassage } from "./passage.schema.ts";
import { findSettledIn } from "./recall-passages.ts";

/** A term in more units is common language and does not identify a file. */
const MAX_MATCHING_UNITS = 3;
/** A word in this many turns of a conversation is its topic. */
const MIN_THEME_TURNS = 3;

const SYMBOL_WEIGHT = 5;
const NAMED_WEIGHT = 4;
const TESTS_WEIGHT = 3;
const WORD_WEIGHT = 2;
const CODE_WEIGHT = 2;
const FOLDER_WEIGHT = 2;
const CHANGED_WEIGHT = 1;

interface FoundPassage extends PassageRecord {
  readonly unit: number;
}

interface FileMatches {
  readonly weights: ReadonlyMap<number, number>;
  /** Units that name the file or its symbols explicitly. */
  readonly sure: ReadonlySet<number>;
}

/**
 * Finds units about a file and their confidence: by path, definitions, test name, an identifier
 * with its word, the word alone, or the words of its folder.
 */
function matchFile(found: readonly FoundPassage[], file: NamedFile): FileMatches {
  const messages = found.filter(({ role }) => role !== "tool");
  const { word, folder, symbols } = file;
  const weightOfWord = (weight: number, speaks: (text: string, word: string) => boolean) =>
    word === undefined ? [] : [filterRare(weight, messages, ({ text }) => speaks(text, word))];
  const bySymbols = symbols.map((symbol) =>
    filterRare(SYMBOL_WEIGHT, messages, ({ text }) => containsWord(text, symbol)),
  );
  const surely = [
    weighMatches(NAMED_WEIGHT, messages, ({ files }) => isAmongWords(file, files)),
    ...weightOfWord(TESTS_WEIGHT, namesTests),
    ...weightOfWord(CODE_WEIGHT, identifiesBy),
    ...(folder === undefined ? [] : [findThemes(messages, folder)]),
  ];
  const tools = found.filter(({ role }) => role === "tool");
  const changed = weighMatches(CHANGED_WEIGHT, tools, ({ files }) => isAmongWords(file, files));
  const weights = new Map<number, number>();
  for (const [unit, weight] of [...surely, ...weightOfWord(WORD_WEIGHT, containsWord)].flatMap(
    (way) => [...way],
  )) {
    weights.set(unit, Math.max(weight, weights.get(unit) ?? 0));
  }
  for (const [unit, weight] of [...bySymbols, changed].flatMap((way) => [...way])) {
    weights.set(unit, weight + (weights.get(unit) ?? 0));
  }
  // Excludes commits that changed the file incidentally.
  return {
    weights: new Map([...weights].filter(([, weight]) => weight > CHANGED_WEIGHT)),
    sure: new Set([...surely, ...bySymbols].flatMap((way) => [...way.keys()])),
  };
}

function weighMatches(
  weight: number,
  found: readonly FoundPassage[],
  speaks: (passage: FoundPassage) => boolean,
): Map<number, number> {
  return new Map(found.filter(speaks).map(({ unit }) => [unit, weight]));
}

/** A word identifies a file only if few units contain it. */
function filterRare(...values: Parameters<typeof weighMatches>): Map<number, number> {
  const speaking = weighMatches(...values);
  return speaking.size > MAX_MATCHING_UNITS ? new Map() : speaking;
}

/** Finds units that contain all words of a folder, one of them as their topic. */
function findThemes(messages: readonly FoundPassage[], folder: string): Map<number, number> {
  const units = groupBy(messages, ({ unit }) => unit);
  const about = [...units].filter(([, turns]) => {
    const countTurnsContaining = (word: string) =>
      turns.filter(({ text }) => containsWord(text, word)).length;
    return splitFolderWords(folder).some((words) => {
      const counts = words.map(countTurnsContaining);
      return counts.every((count) => count > 0) && Math.max(...counts) >= MIN_THEME_TURNS;
    });
  });
  return about.length > MAX_MATCHING_UNITS
    ? new Map()
    : new Map(about.map(([unit]) => [unit, FOLDER_WEIGHT]));
}

/** Passages with the file's words that are examined; further ones are redundant. */
const MAX_EXAMINED = 120;
const MAX_UNITS_READ = 6;
const MIN_SETTLED_CHARACTERS = 80;

const BEGINNING_WEIGHT = 2;

const STRONG_THRESHOLD = 5;
const MAX_READ = 12;
/** Added weight if a conversation mentions the file at its start or end. */
const SUBJECT_WEIGHT = 1;

export interface AboutFile {
  readonly file: NamedFile;
  readonly limit: number;
  isLate(): boolean;
}

/**
 * Finds decisions about a file in commits that changed it and conversations that mention it, its
 * name or its definitions. Excludes commits that changed it incidentally.
 */
export async function loadPassagesAboutFile(
  tx: Tx,
  scope: PassageScope,
  { file, limit, isLate }: AboutFile,
): Promise<readonly RecalledPassage[]> {
  const found = await selectPassagesThatMayMatch(tx, scope, file);
  const { weights, sure } = matchFile(found, file);
  if (weights.size === 0) return [];
  const loaded = await loadUnits(tx, scope, [...weights.keys()]);
  const units = Array.from(weights, ([unit, weight]) => {
    const passages = loaded.get(unit) ?? [];
    const isAbout = isSubject(passages, file.word);
    return { unit, passages, isAbout, weight: weight + (isAbout ? SUBJECT_WEIGHT : 0) };
  })
    .filter(({ passages }) => statesDecision(passages))
    .filter(({ unit, isAbout }) => sure.has(unit) || isAbout)
    .sort(
      (a, b) => b.weight - a.weight || newestTime(b.passages).localeCompare(newestTime(a.passages)),
    )
    .slice(0, MAX_UNITS_READ);
  const best = units.map(({ unit, weight }) => ({
    unit,
    score: scoreByActivation(weight),
  }));
  const search = { scope, isLate };
  const settled = await findSettledIn(tx, search, { best, loaded, limit: MAX_READ });
  const strong = new Set(
    units.filter(({ weight }) => weight >= STRONG_THRESHOLD).map(({ unit }) => unit),
  );
  const sources = found.filter(({ unit }) => strong.has(unit)).map((passage) => passage.source_id);
  return orderByBestPerUnit(settled, new Set(sources)).slice(0, limit);
}

function orderByBestPerUnit(
  passages: readonly RecalledPassage[],
  sources: ReadonlySet<string>,
): readonly RecalledPassage[] {
  const reported = new Set<string>();
  const first = passages.filter(({ source_id: id, replaced_by: replaced }) => {
    if (!sources.has(id) || replaced !== undefined || reported.has(id)) return false;
    reported.add(id);
    return true;
  });
  return [...new Set([...first, ...passages])];
}

const newestTime = (passages: readonly UnitPassage[]) => passages.at(-1)?.occurredAt ?? "";

function statesDecision(passages: readonly UnitPassage[]): boolean {
  const [first] = selectSettledPassages(passages);
  return first !== undefined && stripCode(first.text).length >= MIN_SETTLED_CHARACTERS;
}

/** Returns true if the word occurs at the start or end of the unit, or more than once. */
function isSubject(passages: readonly UnitPassage[], word: string | undefined): boolean {
  if (word === undefined) return false;
  const says = ({ text }: UnitPassage) => containsWord(text, word);
  const turns = passages.filter(({ role }) => role !== "tool");
  const ends = [
    ...turns.slice(0, BEGINNING_WEIGHT),
    ...selectSettledPassages(passages).slice(0, 1),
  ];
  return ends.some(says) || turns.filter(says).length > 1;
}

async function selectPassagesThatMayMatch(
  tx: Tx,
  scope: PassageScope,
  { path, symbols, folder }: NamedFile,
): Promise<FoundPassage[]> {
  const query = { kind: "passage", visible: scope, limit: MAX_EXAMINED } as const;
  const name = path.split("/").at(-1) ?? path;
  // The folder's words are searched separately, so that they do not displace other matches.
  const texts = [
    [name, ...symbols, path].join(" "),
    ...(folder === undefined ? [] : [splitFolderWords(folder).flat().join(" ")]),
  ];
  const numbers = new Set<number>();
  for (const text of texts) {
    const { passage } = await matchTexts(tx, parseQueryWords(text), [query]);
    for (const { number } of passage) numbers.add(number);
  }
  const measures = { vectors: false, tokens: false };
  const candidates = await loadPassageCandidates(tx, scope, { numbers, measures });
  const records = await loadPassages(tx, [...candidates.keys()]);
  const units = new Map(
    Array.from(candidates.values(), ({ number, unit }) => [passageId(number), unit]),
  );
  return records.map((record) => ({ ...record, unit: units.get(record.id) ?? 0 }));
}
