import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { contains, selectByEngine, selectRows } from "../../database/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseMoment } from "../../shared/time.ts";
import { conceptSources, concepts } from "../concepts/concept.table.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { hasEpisodesOfType } from "../episodes/episode.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { factWasValid } from "../facts/fact-validity.ts";
import {
  entitiesField,
  labelFilterField,
  listField,
  nameListField,
  noteField,
  notLabelFilterField,
} from "../input/fields.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { foldText } from "../search/fold-text.ts";
import { wordsTable } from "../search/postgres/postings-tables.ts";
import { prefixEnd, stemKey } from "../search/postgres/weigh-words.ts";
import { splitUnspaced, splitWords } from "../search/query-words.ts";
import { fts5Contains } from "../search/sqlite/fts5-search.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import { hasCollision, isInOpenConflict } from "./disputed-facts.ts";
import {
  FILTERED_TABLES,
  type KindColumns,
  type LabelsOfKind,
  type RecordKind,
} from "./filtered-kinds.ts";
import { createMomentField } from "./moment-field.ts";
import {
  type BoundValues,
  defineFilter,
  type FilterContext,
  isAnyOf,
  joinConditions,
  mentionedBy,
  mentions,
  onColumn,
  onEachKind,
  selectConflictSide,
  textFilterParts,
} from "./narrowing.ts";

/** Only the first words of a long text are matched. */
const MAX_WORDS = 32;

/** SQL condition: contains every word, the last possibly as a prefix. Undefined without words. */
function containsWords(kind: IndexedKind, number: SQL, text: string): SQL | undefined {
  const words = splitWords(foldText(text)).flatMap(splitUnspaced).slice(0, MAX_WORDS);
  const begun = words.pop();
  if (begun === undefined) return undefined;
  const requested = { words, begun };
  return selectByEngine({
    sqlite: fts5Contains(kind, number, requested),
    postgres: postingsContain(kind, number, requested),
  });
}

/** SQL condition: the item contains all words, and one that begins with `begun`. */
function postingsContain(
  kind: IndexedKind,
  number: SQL,
  { words, begun }: { readonly words: readonly string[]; readonly begun: string },
): SQL {
  const table = wordsTable(kind);
  const holding = (condition: SQL) =>
    sql`${number} in (select held.number from ${table} held where ${condition})`;
  const beginning = stemKey(begun);
  const all = [
    ...words.map((word) => holding(sql`held.word = ${stemKey(word)}`)),
    holding(sql`held.word >= ${beginning} and held.word < ${prefixEnd(beginning)}`),
  ];
  return sql.join(all, sql` and `);
}

const DISPUTE_NAMES = ["conflict", "collision", "source"] as const;

type DisputeName = (typeof DISPUTE_NAMES)[number];

const DISPUTE_CONDITIONS: Readonly<
  Record<DisputeName, (columns: KindColumns, kind: RecordKind) => SQL | undefined>
> = {
  conflict: (columns) => factCondition(columns, isInOpenConflict()),
  collision: (columns) => factCondition(columns, hasCollision()),
  source: ({ episode, number }, kind) => {
    if (episode !== undefined) return sql`${episodes.sourceRef} is not null`;
    if (kind !== "concept") return undefined;
    return sql`${number} in (select ${conceptSources.conceptId} from ${conceptSources})`;
  },
};

const has = onEachKind(
  (columns, kind) =>
    ({ form }) =>
      DISPUTE_CONDITIONS[form as DisputeName](columns, kind),
);

function factCondition({ number, factColumn }: KindColumns, condition: SQL): SQL | undefined {
  if (factColumn === undefined) return undefined;
  return sql`${number} in (select ${factColumn} from ${facts} where ${condition})`;
}

const validThen = onEachKind((columns, kind) => (bound) => {
  const [asOf, knownAt] = [
    bound.one("at"),
    bound.form === "known" ? bound.one("known") : undefined,
  ];
  if (kind === "fact") return factWasValid({ asOf, knownAt });
  const happened = sql`${columns.at} <= ${asOf}`;
  return kind === "episode" ? withoutFacts(happened, factWasValid({ asOf, knownAt })) : happened;
});

const knownThen = onEachKind((columns, kind) => (bound: BoundValues) => {
  const knownAt = bound.one("at");
  const written = sql`${columns.written} <= ${knownAt}`;
  // Combined with `at`, `heldThen` checks the facts.
  if (bound.form !== "alone") return written;
  if (kind === "fact") return factWasValid({ knownAt });
  return kind === "episode" ? withoutFacts(written, factWasValid({ knownAt })) : written;
});

function withoutFacts(condition: SQL, stored: SQL): SQL {
  return sql`${condition} and not exists (select 1 from ${facts} where ${facts.episodeId} = ${episodes.id} and not ${stored})`;
}

/**
 * All filters: the source of fields, conditions and order in lists, facets, recall and interfaces.
 */
export const FILTERS = {
  since: defineFilter({
    field: createMomentField("start").describe(
      "On or after this time: 2026-03-31, 2d, yesterday, monday, last month.",
    ),
    inRecall: "shared",
    selectivity: 7,
    ofClusters: "facts",
    parts: (text, context) => [{ values: { at: parseFilterMoment(text, "start", context) } }],
    narrows: onColumn("at", (at, bound) => sql`${at} >= ${bound.one("at")}`),
  }),
  until: defineFilter({
    field: createMomentField("end").describe("On or before this time, in the same formats."),
    inRecall: "shared",
    selectivity: 8,
    ofClusters: "facts",
    parts: (text, context) => [{ values: { at: parseFilterMoment(text, "end", context) } }],
    narrows: onColumn("at", (at, bound) => sql`${at} <= ${bound.one("at")}`),
  }),
  by: defineFilter({
    field: listField.optional().describe("Asserted by one of these authors."),
    suggests: "author",
    inRecall: "shared",
    selectivity: 6,
    parts: textFilterParts,
    narrows: onColumn("author", isAnyOf),
  }),
  type: defineFilter({
    field: listField.optional().describe("One of these types of episodes, concepts or entities."),
    suggests: "type",
    inRecall: "shared",
    selectivity: 9,
    async parts(types, context) {
      await checkTypes(context, types);
      return textFilterParts(types);
    },
    narrows: onColumn("type", isAnyOf),
  }),
  entity: defineFilter({
    field: entitiesField
      .optional()
      .describe("Entities as type:name; items must mention all of them."),
    suggests: "entity",
    inRecall: "shared",
    selectivity: 1,
    async parts(names, { tx, knownEntity: known }) {
      const found = [];
      for (const name of names) {
        const isKnown = name.type === known?.type && name.key === known.key;
        found.push((isKnown ? known : await findEntity(tx, name))?.id ?? UNKNOWN_NUMBER);
      }
      return found.map((number) => ({ values: { number } }));
    },
    narrows: mentions,
    numbers: mentionedBy,
    ofClusters: "lists",
  }),
  labels: defineFilter({
    field: labelFilterField.optional().describe("key=value pairs that an item must all carry."),
    suggests: "label",
    inRecall: "shared",
    selectivity: 2,
    parts: parseLabelParts,
    narrows: onColumn("labels", hasLabelCondition),
    numbers: {
      episode: (bound) => selectLabeled(FILTERED_TABLES.episode.labels, bound),
      fact: (bound) =>
        sql`select ${facts.id} as number from ${facts} where ${facts.episodeId} in (${selectLabeled(FILTERED_TABLES.fact.labels, bound)})`,
      concept: (bound) => selectLabeled(FILTERED_TABLES.concept.labels, bound),
    },
  }),
  not_labels: defineFilter({
    field: notLabelFilterField.optional().describe("key=value pairs that an item must not carry."),
    suggests: "label",
    inRecall: "shared",
    selectivity: undefined,
    ofClusters: "facts",
    parts: parseLabelParts,
    narrows: {
      ...onEachKind(({ labels }) =>
        labels === undefined
          ? () => sql`true`
          : (bound) => sql`not ${hasLabelCondition(labels, bound)}`,
      ),
      conflict: (bound) =>
        sql`not exists (${selectConflictSide(hasLabelCondition(FILTERED_TABLES.fact.labels, bound))})`,
    },
  }),
  topic: defineFilter({
    field: listField
      .optional()
      .describe("Ids or names of topics; items must belong to one of them."),
    suggests: "topic",
    inRecall: "shared",
    selectivity: 3,
    async parts(names, { tx }) {
      const ids: string[] = [];
      for (const name of names) ids.push((await requireTopic(tx, name, "topic")).id);
      return textFilterParts(ids);
    },
    narrows: onColumn("topic", isAnyOf),
  }),
  session: defineFilter({
    field: listField.optional().describe("Only episodes of one of these sessions."),
    suggests: "session",
    inRecall: "shared",
    selectivity: 0,
    parts: textFilterParts,
    narrows: onColumn("session", isAnyOf),
  }),
  as_of: defineFilter({
    field: createMomentField("end").describe(
      "Time at which facts must have been valid, as known now.",
    ),
    inRecall: "own",
    selectivity: undefined,
    ofClusters: "facts",
    parts: (text, context) => {
      const at = parseFilterMoment(text, "end", context);
      const { known_at: known } = context.input ?? {};
      if (typeof known !== "string") return [{ values: { at } }];
      return [{ form: "known", values: { at, known: parseFilterMoment(known, "end", context) } }];
    },
    narrows: validThen,
  }),
  known_at: defineFilter({
    field: createMomentField("end").describe(
      "Include only what was known at this time; with as_of, what was believed valid then.",
    ),
    inRecall: "own",
    selectivity: undefined,
    ofClusters: "facts",
    parts: (text, context) => {
      const at = parseFilterMoment(text, "end", context);
      return [{ form: context.input?.as_of === undefined ? "alone" : "", values: { at } }];
    },
    narrows: knownThen,
  }),
  pending: defineFilter({
    field: z.boolean().optional().describe("Only episodes that no consolidation has processed."),
    inRecall: "shared",
    selectivity: 10,
    parts: (pending) => [{ form: pending ? "0" : "1", values: {} }],
    narrows: onColumn("processed", (processed, { form }) => sql`${processed} = ${sql.raw(form)}`),
  }),
  has: defineFilter({
    field: nameListField(DISPUTE_NAMES)
      .optional()
      .describe(
        "`conflict`: an open one; `collision`: facts that may contradict each other; `source`: a reference, of a concept an episode.",
      ),
    inRecall: "shared",
    selectivity: 5,
    parts: (names) => names.map((name) => ({ form: name, values: {} })),
    narrows: has,
  }),
  text: defineFilter({
    field: noteField.optional().describe("Contains all of these words; the last may be a prefix."),
    inRecall: "meaningless",
    selectivity: 4,
    parts: (text) => (text.trim() === "" ? [] : [{ form: text, values: {} }]),
    narrows: onEachKind(({ episode, number }, kind) => {
      if (episode !== undefined) return ({ form }) => containsWords("episode", episode, form);
      if (kind === "concept") return ({ form }) => containsWords("concept", number, form);
      return ({ form }) => nameContains(form);
    }),
  }),
};

export type FilterName = keyof typeof FILTERS;

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** A number that no row has. */
export const UNKNOWN_NUMBER = 0;

function parseFilterMoment(text: string, side: "start" | "end", { now }: FilterContext): string {
  return parseMoment(text, side, new Date(now));
}

function parseLabelParts(labels: readonly LabelRecord[]) {
  return labels.map(({ key, value }) => ({ values: { key, value } }));
}

function hasLabelCondition({ table, owner, number }: LabelsOfKind, bound: BoundValues): SQL {
  return sql`exists (select 1 from ${table} where ${owner} = ${number} and ${isLabel(table, bound)})`;
}

function selectLabeled({ table, owner }: LabelsOfKind, bound: BoundValues): SQL {
  return sql`select ${owner} as number from ${table} where ${isLabel(table, bound)}`;
}

function isLabel(table: SQL, { one }: BoundValues): SQL {
  return sql`${table}.key = ${one("key")} and ${table}.value = ${one("value")}`;
}

function nameContains(text: string): SQL | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return joinConditions(words.map((word) => contains(sql`${entities.key}`, sql`${word}`)));
}

/** Concept types are free text and checked against those in use. Throws invalid_input. */
async function checkTypes(context: FilterContext, types: readonly string[]): Promise<void> {
  const fixed = [...context.episodeTypes, ...ENTITY_TYPES];
  const unknown = types.filter((type) => !fixed.includes(type));
  if (unknown.length === 0) return;
  const rows = await selectRows<[type: string]>(
    context.tx,
    sql`select distinct ${concepts.type} from ${concepts}`,
  );
  const known = [...new Set([...fixed, ...rows.map(([type]) => type)])];
  for (const type of unknown.filter((one) => !known.includes(one))) {
    if (await hasEpisodesOfType(context.tx, type)) continue;
    throw invalidInput(
      `type: "${type}" is the type of no episode, concept or entity.${didYouMean(type, known)}`,
    );
  }
}
