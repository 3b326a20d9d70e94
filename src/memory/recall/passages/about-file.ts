import type { Tx } from "../../../database/index.ts";
import { passageId } from "../../input/item-ids.ts";
import { matchTexts } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import { loadPassageCandidates } from "./load-passage-candidates.ts";
import { loadUnits, type UnitPassage } from "./load-units.ts";
import { isAmong, type NamedFile, saysWord } from "./named-file.ts";
import type { RecalledPassage } from "./passage.schema.ts";
import type { PassageScope } from "./passage-scope.ts";
import { settledIn } from "./recall-passages.ts";
import { proseOf, settledPassages } from "./settled.ts";

/** Passages that are looked through for the file; more that hold its words say the same. */
const LOOKED_THROUGH = 120;
/** Units that are read. */
const UNITS_READ = 6;
/** A word or a name of which more speak is one of the language, and not of a file. */
const MOST_SPEAKING = 3;
/** What says less is the title of a change: it tells what was done, and nothing that was settled. */
const SHORTEST_SETTLED = 80;

/** Turns in which a matter is described. */
const BEGINNING = 2;

/** How much a way of speaking of the file says that it is this file that is spoken of. */
const NAMED = 4;
const SYMBOL = 3;
const WORD = 2;
const CHANGED = 1;

export interface AboutFile {
  readonly file: NamedFile;
  readonly wanted: number;
  isLate(): boolean;
}

/**
 * How matters of a file were settled elsewhere: in the commits that changed it, and in what was said
 * where it, what it is called or what it defines is named. Nothing of what only changed it in passing.
 */
export async function passagesAboutFile(
  tx: Tx,
  scope: PassageScope,
  { file, wanted, isLate }: AboutFile,
): Promise<readonly RecalledPassage[]> {
  const { weights, sure } = await unitsAbout(tx, scope, file);
  if (weights.size === 0) return [];
  const loaded = await loadUnits(tx, scope, [...weights.keys()]);
  const units = Array.from(weights, ([unit, weight]) => ({
    unit,
    weight,
    passages: loaded.get(unit) ?? [],
  }))
    .filter(({ passages }) => settlesSomething(passages))
    .filter(({ unit, passages }) => sure.has(unit) || isSubject(passages, file.word))
    .sort((a, b) => b.weight - a.weight || newest(b.passages).localeCompare(newest(a.passages)))
    .slice(0, UNITS_READ);
  const best = units.map(({ unit, weight }) => ({
    unit,
    activation: weight,
    words: undefined,
    passages: new Map<number, number>(),
  }));
  const search = { scope, isLate };
  return settledIn(tx, search, { best, loaded, wanted, certainty: 1 });
}

const newest = (passages: readonly UnitPassage[]) => passages.at(-1)?.occurredAt ?? "";

function settlesSomething(passages: readonly UnitPassage[]): boolean {
  const [first] = settledPassages(passages);
  return first !== undefined && proseOf(first.text).length >= SHORTEST_SETTLED;
}

/** Whether a word is what was spoken about: where it began or ended, or more than once; not in passing. */
function isSubject(passages: readonly UnitPassage[], word: string | undefined): boolean {
  if (word === undefined) return false;
  const says = ({ text }: UnitPassage) => saysWord(text, word);
  const turns = passages.filter(({ role }) => role !== "tool");
  const ends = [...turns.slice(0, BEGINNING), ...settledPassages(passages).slice(0, 1)];
  return ends.some(says) || turns.filter(says).length > 1;
}

interface UnitsAbout {
  readonly weights: ReadonlyMap<number, number>;
  /** Those that name the file or what it defines, and not only a word that it is called by. */
  readonly sure: ReadonlySet<number>;
}

/** The units that speak of the file, each with how surely it does. */
async function unitsAbout(tx: Tx, scope: PassageScope, file: NamedFile): Promise<UnitsAbout> {
  const found = await passagesThatMay(tx, scope, file);
  const surely = [
    weighed(NAMED, found, ({ role, files }) => role !== "tool" && isAmong(file, files)),
    ...file.symbols.map((symbol) => rare(SYMBOL, found, symbol)),
  ];
  const ways = [
    ...surely,
    weighed(CHANGED, found, ({ role, files }) => role === "tool" && isAmong(file, files)),
    ...(file.word === undefined ? [] : [rare(WORD, found, file.word)]),
  ];
  const weights = new Map<number, number>();
  for (const way of ways) {
    for (const [unit, weight] of way) weights.set(unit, (weights.get(unit) ?? 0) + weight);
  }
  // Whoever changed a file in passing did not speak of it.
  return {
    weights: new Map([...weights].filter(([, weight]) => weight > CHANGED)),
    sure: new Set(surely.flatMap((way) => [...way.keys()])),
  };
}

interface Found extends PassageRecord {
  readonly unit: number;
}

function weighed(
  weight: number,
  found: readonly Found[],
  speaks: (passage: Found) => boolean,
): Map<number, number> {
  return new Map(found.filter(speaks).map(({ unit }) => [unit, weight]));
}

/** A word says something of few; of those that changed the file in silence it says nothing. */
function rare(weight: number, found: readonly Found[], word: string): Map<number, number> {
  const speaking = weighed(
    weight,
    found,
    ({ role, text }) => role !== "tool" && saysWord(text, word),
  );
  return speaking.size > MOST_SPEAKING ? new Map() : speaking;
}

/** Passages that hold words by which the file may be spoken of. */
async function passagesThatMay(tx: Tx, scope: PassageScope, file: NamedFile): Promise<Found[]> {
  const { path, symbols } = file;
  const words = queryWords([path.split("/").at(-1), ...symbols, path].join(" "));
  const query = { kind: "passage", visible: scope, most: LOOKED_THROUGH } as const;
  const texts = (await matchTexts(tx, words, [query])).passage;
  const numbers = texts.map(({ number }) => number);
  const measures = { vectors: false, tokens: false };
  const candidates = await loadPassageCandidates(tx, scope, { numbers, measures });
  const records = await loadPassages(tx, [...candidates.keys()]);
  const units = new Map(
    Array.from(candidates.values(), ({ number, unit }) => [passageId(number), unit]),
  );
  return records.map((record) => ({ ...record, unit: units.get(record.id) ?? 0 }));
}
