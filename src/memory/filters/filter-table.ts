import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { contains } from "../../database/index.ts";
import { parseMoment } from "../../shared/time.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { facts } from "../facts/fact.table.ts";
import {
  entitiesField,
  labelFilterField,
  listField,
  noteField,
  notLabelFilterField,
} from "../input/fields.ts";
import { namesOf } from "../input/names-of.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { holdsWords } from "../search/text-filter.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import { checkTypes } from "./check-types.ts";
import { type BoundValues, defineFilter, type FilterContext } from "./define-filter.ts";
import { FILTERED, type LabelsOfKind } from "./filtered-kinds.ts";
import { DISPUTES, has } from "./has.ts";
import { heldThen, knownThen } from "./looking-back.ts";
import { mentionedBy, mentions } from "./mentions.ts";
import { momentField } from "./moment-field.ts";
import { allOf, anyOf, isAnyOf, onColumn, onEachKind, sidesWhere } from "./narrowing.ts";

/**
 * Every filter, once: lists, facets, the timeline, recall and whatever else narrows records take
 * their fields, conditions and order from here, and with them every surface does.
 */
export const FILTERS = {
  since: defineFilter({
    field: momentField("start").describe(
      "Not before: 2026-03-31, 2d, yesterday, monday, last month.",
    ),
    inRecall: "shared",
    selectivity: 7,
    ofClusters: "facts",
    parts: (text, context) => [{ values: { at: momentOf(text, "start", context) } }],
    narrows: onColumn("at", (at, bound) => sql`${at} >= ${bound.one("at")}`),
  }),
  until: defineFilter({
    field: momentField("end").describe("Not after, in the same forms."),
    inRecall: "shared",
    selectivity: 8,
    ofClusters: "facts",
    parts: (text, context) => [{ values: { at: momentOf(text, "end", context) } }],
    narrows: onColumn("at", (at, bound) => sql`${at} <= ${bound.one("at")}`),
  }),
  by: defineFilter({
    field: listField.optional().describe("Asserted by one of these."),
    suggests: "author",
    inRecall: "shared",
    selectivity: 6,
    parts: anyOf,
    narrows: onColumn("author", isAnyOf),
  }),
  type: defineFilter({
    field: listField.optional().describe("One of these types of episodes, concepts or entities."),
    suggests: "type",
    inRecall: "shared",
    selectivity: 9,
    async parts(types, context) {
      await checkTypes(context, types);
      return anyOf(types);
    },
    narrows: onColumn("type", isAnyOf),
  }),
  entity: defineFilter({
    field: entitiesField.optional().describe("type:name; about all of these."),
    suggests: "entity",
    inRecall: "shared",
    selectivity: 1,
    async parts(names, { tx, knownEntity: known }) {
      const found = [];
      for (const name of names) {
        const isKnown = name.type === known?.type && name.key === known.key;
        found.push((isKnown ? known : await findEntity(tx, name))?.id ?? UNKNOWN);
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
    parts: partsOfLabels,
    narrows: onColumn("labels", carries),
    numbers: {
      episode: (bound) => carriers(FILTERED.episode.labels, bound),
      fact: (bound) =>
        sql`select ${facts.id} as number from ${facts} where ${facts.episodeId} in (${carriers(FILTERED.fact.labels, bound)})`,
      concept: (bound) => carriers(FILTERED.concept.labels, bound),
    },
  }),
  not_labels: defineFilter({
    field: notLabelFilterField
      .optional()
      .describe("key=value pairs of which an item must carry none."),
    suggests: "label",
    inRecall: "shared",
    selectivity: undefined,
    ofClusters: "facts",
    parts: partsOfLabels,
    narrows: {
      ...onEachKind(({ labels }) =>
        labels === undefined ? () => sql`true` : (bound) => sql`not ${carries(labels, bound)}`,
      ),
      conflict: (bound) => sql`not exists (${sidesWhere(carries(FILTERED.fact.labels, bound))})`,
    },
  }),
  topic: defineFilter({
    field: listField
      .optional()
      .describe("Ids or names of topics; only what belongs to one of them."),
    suggests: "topic",
    inRecall: "shared",
    selectivity: 3,
    async parts(names, { tx }) {
      const ids: string[] = [];
      for (const name of names) ids.push((await requireTopic(tx, name, "topic")).id);
      return anyOf(ids);
    },
    narrows: onColumn("topic", isAnyOf),
  }),
  session: defineFilter({
    field: listField.optional().describe("Only episodes of one of these sessions."),
    suggests: "session",
    inRecall: "shared",
    selectivity: 0,
    parts: anyOf,
    narrows: onColumn("session", isAnyOf),
  }),
  as_of: defineFilter({
    field: momentField("end").describe("What held then, as known now; facts by their window."),
    inRecall: "own",
    selectivity: undefined,
    ofClusters: "facts",
    parts: (text, context) => {
      const at = momentOf(text, "end", context);
      const { known_at: known } = context.given ?? {};
      if (typeof known !== "string") return [{ values: { at } }];
      return [{ form: "known", values: { at, known: momentOf(known, "end", context) } }];
    },
    narrows: heldThen,
  }),
  known_at: defineFilter({
    field: momentField("end").describe("What was known then; with as_of, what was believed of it."),
    inRecall: "own",
    selectivity: undefined,
    ofClusters: "facts",
    parts: (text, context) => {
      const at = momentOf(text, "end", context);
      return [{ form: context.given?.as_of === undefined ? "alone" : "", values: { at } }];
    },
    narrows: knownThen,
  }),
  pending: defineFilter({
    field: z
      .boolean()
      .optional()
      .describe("Only episodes that no consolidation has processed yet."),
    inRecall: "shared",
    selectivity: 10,
    parts: (pending) => [{ form: pending ? "0" : "1", values: {} }],
    narrows: onColumn("processed", (processed, { form }) => sql`${processed} = ${sql.raw(form)}`),
  }),
  has: defineFilter({
    field: namesOf(DISPUTES)
      .optional()
      .describe(
        "`conflict`: an open one; `collision`: facts of which nobody said whether both hold; `source`: a reference, of a concept an episode.",
      ),
    inRecall: "shared",
    selectivity: 5,
    parts: (names) => names.map((name) => ({ form: name, values: {} })),
    narrows: has,
  }),
  text: defineFilter({
    field: noteField.optional().describe("Holds all of these words; the last may be a beginning."),
    inRecall: "meaningless",
    selectivity: 4,
    parts: (text) => (text.trim() === "" ? [] : [{ form: text, values: {} }]),
    narrows: onEachKind(({ episode, number }, kind) => {
      if (episode !== undefined) return ({ form }) => holdsWords("episode", episode, form);
      if (kind === "concept") return ({ form }) => holdsWords("concept", number, form);
      return ({ form }) => nameHolds(form);
    }),
  }),
};

export type FilterName = keyof typeof FILTERS;

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** No row has this number. */
export const UNKNOWN = 0;

function momentOf(text: string, side: "start" | "end", { now }: FilterContext): string {
  return parseMoment(text, side, new Date(now));
}

function partsOfLabels(labels: readonly LabelRecord[]) {
  return labels.map(({ key, value }) => ({ values: { key, value } }));
}

function carries({ table, owner, number }: LabelsOfKind, bound: BoundValues): SQL {
  return sql`exists (select 1 from ${table} where ${owner} = ${number} and ${isLabel(table, bound)})`;
}

function carriers({ table, owner }: LabelsOfKind, bound: BoundValues): SQL {
  return sql`select ${owner} as number from ${table} where ${isLabel(table, bound)}`;
}

function isLabel(table: SQL, { one }: BoundValues): SQL {
  return sql`${table}.key = ${one("key")} and ${table}.value = ${one("value")}`;
}

function nameHolds(text: string): SQL | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return allOf(words.map((word) => contains(sql`${entities.key}`, sql`${word}`)));
}
