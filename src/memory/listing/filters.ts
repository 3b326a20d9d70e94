import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { contains, textSet } from "../../database/index.ts";
import { withMeta } from "../../kernel/field-meta.ts";
import { parseMoment } from "../../kernel/moment.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import { conceptSources } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { entitiesField, labelFilterField, listField, noteField } from "../input/fields.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { conceptHasLabels, episodeHasLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { holdsWords } from "../search/text-filter.ts";
import { type ItemKind, LISTED, type ListedKind } from "./item-kinds.ts";

/** Which items a list, a facet or a timeline is of. Every field that is absent narrows nothing. */
export interface ItemFilter {
  /** Timestamps, inclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly by?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly entity?: readonly EntityName[] | undefined;
  readonly labels?: readonly LabelRecord[] | undefined;
  /** Ids. */
  readonly topic?: readonly string[] | undefined;
  readonly session?: readonly string[] | undefined;
  readonly pending?: boolean | undefined;
  readonly has?: readonly string[] | undefined;
  readonly text?: string | undefined;
}

export type FilterName = keyof ItemFilter;

/**
 * The fields of every operation that filters items, as flags, query strings and forms show them.
 * Whether a time can be read is checked here, what it means when it is asked for.
 */
export const filterFields = {
  since: momentField("start").describe(
    "Not before: 2026-03-31, 2d, yesterday, monday, last month.",
  ),
  until: momentField("end").describe("Not after, in the same forms."),
  by: listField.optional().describe("Asserted by one of these."),
  type: listField.optional().describe("One of these types of episodes, concepts or entities."),
  entity: entitiesField.optional().describe("type:name; about all of these."),
  labels: labelFilterField.optional().describe("key=value pairs that an item must all carry."),
  topic: listField.optional().describe("Ids or names of topics; only what belongs to one of them."),
  session: listField.optional().describe("Only episodes of one of these sessions."),
  pending: z
    .boolean()
    .optional()
    .describe("Only episodes that no consolidation has processed yet."),
  has: namesOf(["conflict", "collision", "source"])
    .optional()
    .describe(
      "`conflict`: an open one; `collision`: facts of which nobody said whether both hold; `source`: a reference, of a concept an episode.",
    ),
  text: noteField.optional().describe("Holds all of these words; the last may be a beginning."),
};

/** A list of known names; another one is an error that names the nearest. */
export function namesOf<const Name extends string>(names: readonly Name[]) {
  const named = listField.transform((given, context): Name[] =>
    given.flatMap((name) => {
      const known = names.find((one) => one === name || `${one}s` === name);
      if (known !== undefined) return [known];
      context.addIssue({
        code: "custom",
        message: `"${name}" is none of ${names.join(", ")}.${didYouMean(name, names)}`,
      });
      return [];
    }),
  );
  const one = `(${names.join("|")})s?`;
  const pattern = `^ *(${one})?( *, *(${one})?)* *$`;
  const items = { type: "string", pattern: `^${one}$` };
  return named.meta({
    anyOf: [
      { type: "string", pattern },
      { type: "array", items },
    ],
  });
}

function momentField(side: "start" | "end") {
  return withMeta(
    z
      .string()
      .superRefine((text, context) => {
        try {
          parseMoment(text, side, new Date(0));
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          context.addIssue({ code: "custom", message });
        }
      })
      .optional(),
    {},
  );
}

/** What one filter asks of the items of a kind; undefined: no item of the kind can pass. */
type Condition<Value> = (value: Value, kind: ItemKind) => SQL | undefined;

const CONDITIONS: { [Name in FilterName]-?: Condition<NonNullable<ItemFilter[Name]>> } = {
  since: (at, kind) => sql`${LISTED[kind].at} >= ${at}`,
  until: (at, kind) => sql`${LISTED[kind].at} <= ${at}`,
  by: (names, kind) => isOneOf(LISTED[kind].author, names),
  type: (types, kind) => isOneOf(LISTED[kind].type, types),
  entity: (names, kind) => isAbout(names, kind),
  labels: (labels, kind) => {
    if (kind === "concept") return conceptHasLabels(labels);
    return kind === "entity" ? undefined : episodeHasLabels(labels);
  },
  topic: (ids, kind) => isOneOf(LISTED[kind].topic, ids),
  session: (names, kind) => isOneOf(LISTED[kind].session, names),
  pending: (pending, kind) =>
    LISTED[kind].episode === undefined
      ? undefined
      : sql`${episodes.processed} = ${sql.raw(pending ? "0" : "1")}`,
  has: (names, kind) => all(names.map((name) => HAS[name]?.(LISTED[kind], kind))),
  text: (text, kind) => holdsText(text, kind),
};

const HAS: Readonly<Record<string, (listed: ListedKind, kind: ItemKind) => SQL | undefined>> = {
  conflict: (_listed, kind) => hasFact(kind, inOpenConflict()),
  collision: (_listed, kind) => hasFact(kind, collides()),
  source: ({ episode, number }, kind) => {
    if (episode !== undefined) return sql`${episodes.sourceRef} is not null`;
    if (kind !== "concept") return undefined;
    return sql`${number} in (select ${conceptSources.conceptId} from ${conceptSources})`;
  },
};

/** The item is, says or gathers a fact of which the condition is true. */
function hasFact(kind: ItemKind, condition: SQL): SQL | undefined {
  if (kind === "entity") return undefined;
  const column = { episode: facts.episodeId, fact: facts.id, concept: facts.clusterId }[kind];
  return sql`${LISTED[kind].number} in (select ${column} from ${facts} where ${condition})`;
}

/**
 * The fact and another one of its cluster share an entity or the text, both are active, and there
 * was never a conflict between the two, open or settled.
 */
function collides(): SQL {
  const isSaid = (episode: SQL) =>
    sql`exists (select 1 from episodes said where said.id = ${episode} and said.deleted_at is null)`;
  return sql`${facts.status} = 'active' and ${isSaid(sql`${facts.episodeId}`)} and exists (
    select 1 from facts other
    where other.cluster_id = ${facts.clusterId} and other.id <> ${facts.id}
      and other.status = 'active' and ${isSaid(sql`other.episode_id`)}
      and (other.statement_hash = ${facts.statementHash} or exists (
        select 1 from episode_entities theirs inner join episode_entities mine
          on mine.entity_id = theirs.entity_id
        where theirs.episode_id = other.episode_id and mine.episode_id = ${facts.episodeId}))
      and not exists (select 1 from conflicts settled
        where (settled.fact_a = ${facts.id} and settled.fact_b = other.id)
          or (settled.fact_a = other.id and settled.fact_b = ${facts.id})))`;
}

/** The fact takes part in a conflict that is open, and neither side of it is deleted. */
export function inOpenConflict(): SQL {
  const side = (column: SQL) => sql`${facts.id} in (select ${column} from ${conflicts}
    where ${conflicts.status} = 'open' and not exists (
      select 1 from facts side inner join episodes said on said.id = side.episode_id
      where side.id in (${conflicts.factA}, ${conflicts.factB}) and said.deleted_at is not null))`;
  return sql`(${side(sql`${conflicts.factA}`)} or ${side(sql`${conflicts.factB}`)})`;
}

function holdsText(text: string, kind: ItemKind): SQL | undefined {
  const { number, episode } = LISTED[kind];
  if (episode !== undefined) return holdsWords("episode", episode, text);
  if (kind === "concept") return holdsWords("concept", number, text);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all(words.map((word) => contains(sql`${entities.key}`, sql`${word}`)));
}

/** The item, or an episode that it was made from, mentions every one of them. */
function isAbout(names: readonly EntityName[], kind: ItemKind): SQL | undefined {
  return all(
    names.map(({ type, key }) => {
      const entity = sql`select ${entities.id} from ${entities} where ${entities.type} = ${type} and ${entities.key} = ${key}`;
      if (kind === "entity") return sql`${entities.id} in (${entity})`;
      const mentions = sql`select ${episodeEntities.episodeId} from ${episodeEntities} where ${episodeEntities.entityId} in (${entity})`;
      const { episode, number } = LISTED[kind];
      if (episode !== undefined) return sql`${episode} in (${mentions})`;
      return sql`${number} in (
        select ${conceptSources.conceptId} from ${conceptSources} where ${conceptSources.episodeId} in (${mentions})
        union select ${facts.clusterId} from ${facts} where ${facts.episodeId} in (${mentions}))`;
    }),
  );
}

function isOneOf(column: SQL | undefined, values: readonly string[]): SQL | undefined {
  return column === undefined ? undefined : sql`${column} in (${textSet(values)})`;
}

function all(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const known = conditions.filter((condition) => condition !== undefined);
  if (known.length < conditions.length) return undefined;
  return known.length === 0 ? sql`true` : sql.join(known, sql` and `);
}

/** What the items of a kind must be to pass; undefined: none can. `except` is left aside. */
export function filterCondition(
  kind: ItemKind,
  filter: ItemFilter,
  except?: FilterName,
): SQL | undefined {
  const names = Object.keys(CONDITIONS) as FilterName[];
  const asked = names.filter((name) => filter[name] !== undefined && name !== except);
  const { active } = LISTED[kind];
  return all([active, ...asked.map((name) => conditionOf(name, filter[name], kind))]);
}

/** The table pairs each filter with its own type of value, which a loop over names cannot say. */
function conditionOf(name: FilterName, value: unknown, kind: ItemKind): SQL | undefined {
  return (CONDITIONS[name] as Condition<unknown>)(value, kind);
}
