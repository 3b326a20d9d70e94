import type { Tx } from "../../../database/index.ts";
import { passageId } from "../../input/item-ids.ts";
import { matchTexts } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import { loadPassageCandidates } from "./load-passage-candidates.ts";
import { loadUnits, type UnitPassage } from "./load-units.ts";
import { type NamedFile, saysWord, wordsOfFolder } from "./named-file.ts";
import type { RecalledPassage } from "./passage.schema.ts";
import type { PassageScope } from "./passage-scope.ts";
import { settledIn } from "./recall-passages.ts";
import { proseOf, settledPassages } from "./settled.ts";
import { type FoundPassage, waysToFile } from "./ways-to-file.ts";

/** Passages that are looked through for the file; more that hold its words say the same. */
const LOOKED_THROUGH = 120;
/** Units that are read. */
const UNITS_READ = 6;
/** What says less is the title of a change: it tells what was done, and nothing that was settled. */
const SHORTEST_SETTLED = 80;

/** Turns in which a matter is described. */
const BEGINNING = 2;

/** From here on it is a matter of its own that is told of the file. */
const STRONG = 5;
/** Passages of which those that are told are chosen. */
const MOST_READ = 12;
/** What speaking of it where a conversation began or ended adds. */
const SUBJECT = 1;

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
  const found = await passagesThatMay(tx, scope, file);
  const { weights, sure } = waysToFile(found, file);
  if (weights.size === 0) return [];
  const loaded = await loadUnits(tx, scope, [...weights.keys()]);
  const units = Array.from(weights, ([unit, weight]) => {
    const passages = loaded.get(unit) ?? [];
    const isAbout = isSubject(passages, file.word);
    return { unit, passages, isAbout, weight: weight + (isAbout ? SUBJECT : 0) };
  })
    .filter(({ passages }) => settlesSomething(passages))
    .filter(({ unit, isAbout }) => sure.has(unit) || isAbout)
    .sort((a, b) => b.weight - a.weight || newest(b.passages).localeCompare(newest(a.passages)))
    .slice(0, UNITS_READ);
  const best = units.map(({ unit, weight }) => ({
    unit,
    activation: weight,
    words: undefined,
    passages: new Map<number, number>(),
  }));
  const search = { scope, isLate };
  const settled = await settledIn(tx, search, { best, loaded, wanted: MOST_READ, certainty: 1 });
  const strong = new Set(units.filter(({ weight }) => weight >= STRONG).map(({ unit }) => unit));
  const sources = found.filter(({ unit }) => strong.has(unit)).map((passage) => passage.source_id);
  return eachFirst(settled, new Set(sources)).slice(0, wanted);
}

/** Several matters of one file are told each by its best passage, before more is told of the first. */
function eachFirst(
  passages: readonly RecalledPassage[],
  sources: ReadonlySet<string>,
): readonly RecalledPassage[] {
  const told = new Set<string>();
  const first = passages.filter(({ source_id: id, replaced_by: replaced }) => {
    if (!sources.has(id) || replaced !== undefined || told.has(id)) return false;
    told.add(id);
    return true;
  });
  return [...new Set([...first, ...passages])];
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

/** Passages that hold words by which the file may be spoken of. */
async function passagesThatMay(
  tx: Tx,
  scope: PassageScope,
  { path, symbols, folder }: NamedFile,
): Promise<FoundPassage[]> {
  const query = { kind: "passage", visible: scope, most: LOOKED_THROUGH } as const;
  const name = path.split("/").at(-1) ?? path;
  // What a folder is called after is looked up for itself, so that it displaces nothing.
  const texts = [
    [name, ...symbols, path].join(" "),
    ...(folder === undefined ? [] : [wordsOfFolder(folder).flat().join(" ")]),
  ];
  const numbers = new Set<number>();
  for (const text of texts) {
    const { passage } = await matchTexts(tx, queryWords(text), [query]);
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
