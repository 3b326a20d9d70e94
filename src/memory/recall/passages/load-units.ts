import { type SQL, sql } from "drizzle-orm";
import {
  contains,
  listOfRows,
  type QueryShape,
  rowQuery,
  rowsParameter,
  type Tx,
  withinTime,
} from "../../../database/index.ts";
import { buildCondition, shapeOfFilter, valuesOfFilter } from "../../filters/resolve-filter.ts";
import { foldText } from "../../search/fold-text.ts";
import { decodeUnit, UNIT_OF_PASSAGE } from "../../search/text-query.ts";
import type { Visibility } from "../../search/visibility.ts";
import type { PassageRole } from "../../sources/source.table.ts";
import { searchPrefix } from "../matching-part.ts";
import type { RecallRequest } from "../recall.schema.ts";
import { isHistorical, notCreatedAfter, PASSAGE_TIMES, type RecallScope } from "../recall-scope.ts";

export interface UnitPassage {
  readonly number: number;
  readonly role: PassageRole;
  readonly by: string;
  readonly text: string;
  readonly occurredAt: string;
}

export async function loadUnits(
  tx: Tx,
  scope: PassageScope,
  units: readonly number[],
): Promise<Map<number, UnitPassage[]>> {
  const segments = listOfRows(
    units.map(decodeUnit).map(({ source, segment }) => [source, segment]),
  );
  const rows = await unitRows(
    tx,
    { ...scope.values, wanted: segments },
    { shape: scope.shape, scope },
  );
  const loaded = new Map<number, UnitPassage[]>();
  for (const [unit, number, role, by, text, occurredAt] of rows) {
    const known = loaded.get(unit) ?? [];
    loaded.set(unit, known);
    known.push({ number, role, by, text, occurredAt });
  }
  return loaded;
}

interface UnitShape extends QueryShape {
  readonly scope: PassageScope;
}

type UnitRow = [
  unit: number,
  number: number,
  role: PassageRole,
  by: string,
  text: string,
  occurredAt: string,
];

const unitRows = rowQuery<UnitRow, UnitShape>(
  ({ scope }) => sql`select ${UNIT_OF_PASSAGE} as unit, passages.id, passages.role,
      passages.asserted_by, passages.content, passages.occurred_at
    from (${rowsParameter("wanted", { source: "number", segment: "number" })}) wanted
    inner join passages on passages.source_id = wanted.source and passages.segment = wanted.segment
    where ${scope.condition} order by passages.id`,
);

const MIN_CLOSING_CHARACTERS = 80;
const SHORT_MESSAGE_WORDS = 40;

/**
 * Returns the passages that state a unit's outcome, most relevant first: the assistant's last
 * summary, then the user's messages from the end, short ones with the preceding answer. Commits and
 * sections are returned unchanged.
 */
export function selectSettledPassages(unit: readonly UnitPassage[]): readonly UnitPassage[] {
  const closing = unit.findLast((passage) => isAnswer(passage));
  const settled = new Set<UnitPassage>(closing === undefined ? [] : [closing]);
  for (const [index, passage] of [...unit.entries()].reverse()) {
    const { role, by, text } = passage;
    if (role === "commit" || role === "section") settled.add(passage);
    if (role !== "turn" || by !== "user") continue;
    const isShort = measureProse(text) < SHORT_MESSAGE_WORDS;
    const answer = isShort ? unit.slice(index + 1).find(isAnswer) : undefined;
    // A short confirmation at the end adds nothing.
    if (isShort && answer === undefined && closing !== undefined) continue;
    settled.add(passage);
    if (answer !== undefined) settled.add(answer);
  }
  return [...settled];
}

function isAnswer({ role, by, text }: UnitPassage): boolean {
  return role === "turn" && by !== "user" && measureProse(text) >= MIN_CLOSING_CHARACTERS;
}

const DENSE_CHARACTER = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;

function measureProse(text: string): number {
  const prose = stripCode(text);
  return prose.length + 2 * (prose.match(DENSE_CHARACTER)?.length ?? 0);
}

export function stripCode(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Passages visible to a recall; undefined if its filters exclude all. */
export type PassageScope = Visibility;

export function passageScope(request: RecallRequest, scope: RecallScope): PassageScope | undefined {
  const { entity } = request;
  const about = entity === undefined ? undefined : createEntityTarget(entity);
  if (entity !== undefined && about === undefined) return undefined;
  const filter = scope.filter.filter(({ name }) => name !== "entity");
  const stored = buildCondition("passage", filter);
  if (stored === undefined) return undefined;
  const { asOf, knownAt, isTimed } = scope;
  const conditions = [
    sql`passages.deleted_at is null`,
    stored,
    ...(isTimed ? [withinTime(sql`passages.id`)] : []),
    ...notCreatedAfter(scope, PASSAGE_TIMES),
    ...(about === undefined ? [] : [about.condition]),
  ];
  return {
    shape: `passages, asOf ${asOf !== undefined}, knownAt ${knownAt !== undefined}, about ${about?.kind}, ${shapeOfFilter(filter)}, timed ${isTimed}`,
    condition: sql.join(conditions, sql` and `),
    values: { asOf, knownAt, about: about?.value, ...valuesOfFilter(filter) },
    isPart: isHistorical(scope) || about !== undefined || filter.length > 0,
    isTimed,
  };
}

interface PassageTarget {
  readonly kind: "file" | "person";
  readonly condition: SQL;
  readonly value: string;
}

function createEntityTarget(entity: string): PassageTarget | undefined {
  const [, type = "", name = ""] = /^([^:]+):(.+)$/s.exec(entity) ?? [];
  const value = name.trim();
  switch (type.trim().toLowerCase()) {
    case "file":
      return {
        kind: "file",
        condition: contains(sql`passages.files`, sql`${sql.placeholder("about")}`),
        value: JSON.stringify(value),
      };
    case "person":
      return {
        kind: "person",
        condition: sql`lower(passages.asserted_by) = ${sql.placeholder("about")}`,
        value: value.toLowerCase(),
      };
    default:
      return undefined;
  }
}

const DECISION_WORD =
  /\b(?:settled|final(?:ly)?|agreed|decided|decision|recap|summary|rule|amend(?:ed|ment)|supersed\w*|confirmed|exactly|must|never|always|only|instead|unless|except|beschlossen|entschieden|immer|nie(?:mals)?|nur|statt|décidé|toujours|jamais|seulement|decidido|siempre|nunca|solo|sempre|deciso|beslist|altijd|nooit|postanowion\w*|zawsze|nigdy)\b|(?:решено|всегда|никогда|только|决定|始终|从不|只|必须|決定|必ず|のみ|항상|결정)/giu;
/** Details that a rule depends on: numbers, identifiers, quoted text. */
const PRECISE_TERM =
  /`[^`]+`|"[^"]+"|'[^']{1,40}'|\b\d[\w.:%-]*|\b\w+(?:[._]\w+)+\b|\b[A-Z]{2,}\w*\b/g;

interface Sentence {
  readonly text: string;
  readonly position: number;
  readonly weight: number;
}

interface MatchedSentence extends Sentence {
  readonly match: number;
}

function compareByMatch(a: MatchedSentence, b: MatchedSentence): number {
  return b.match - a.match || b.weight - a.weight || b.position - a.position;
}

/** Rare words count more. */
function selectMatches(
  sentences: readonly Sentence[],
  words: readonly string[],
): readonly MatchedSentence[] {
  const sought = [...new Set(words.map(searchPrefix))];
  const contained = sentences.map(({ text }) => {
    const folded = foldText(text);
    return sought.filter((word) => folded.includes(word));
  });
  const counts = new Map<string, number>();
  for (const word of contained.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sentences.map((sentence, index) => {
    let match = 0;
    for (const word of contained[index] ?? []) match += 1 / Math.sqrt(counts.get(word) ?? 1);
    return { ...sentence, match };
  });
}

/**
 * Returns the sentences with the most query words, then those that state an outcome, in text order
 * within the length limit. A text that fits is returned unchanged; sentences are truncated only if
 * none fits. Omissions are marked.
 */
export function createExcerpt(text: string, limit: number, words: readonly string[] = []): string {
  const full = text.trim();
  if (full.length <= limit) return full;
  const prose = stripCode(full);
  if (prose.length > 0 && prose.length <= limit) return prose;
  const sentences = selectMatches(splitSentences(prose === "" ? full : prose), words);
  const chosen: Sentence[] = [];
  let left = limit;
  for (const sentence of [...sentences].sort(compareByMatch)) {
    if (sentence.text.length + 2 > left) continue;
    chosen.push(sentence);
    left -= sentence.text.length + 2;
  }
  if (chosen.length === 0) return cutAtWord(sentences[0]?.text ?? full, limit);
  chosen.sort((a, b) => a.position - b.position);
  return chosen
    .map(({ text: one, position }, index) => {
      const before = chosen[index - 1]?.position ?? -1;
      const gap = position > before + 1 ? "… " : "";
      return `${gap}${one}`;
    })
    .join(" ");
}

/** Later sentences weigh more, since conclusions come last. */
function splitSentences(text: string): Sentence[] {
  const parts = text
    .split(/\n+|(?<=[.!?。！？])\s+(?=\S)|(?<=[。！？])/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.map((part, index) => ({
    text: part,
    position: index,
    weight:
      2 * (part.match(DECISION_WORD)?.length ?? 0) +
      Math.min(4, part.match(PRECISE_TERM)?.length ?? 0) +
      (3 * (index + 1)) / parts.length,
  }));
}

function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > limit / 2 ? space : limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
