import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { conceptSources, evidence } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import {
  type FeedKind,
  FILTERED_TABLES,
  type FilteredKind,
  type KindColumns,
  type RecordKind,
} from "./filtered-kinds.ts";

export interface FilterContext {
  readonly tx: Tx;
  readonly now: string;
  readonly episodeTypes: readonly string[];
  readonly knownEntity?: EntityRow | undefined;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface FilterPart {
  readonly values: Readonly<Record<string, string | number | readonly string[]>>;
  readonly form?: string;
}

export interface BoundValues {
  one(name: string): SQL;
  many(name: string): SQL;
  readonly form: string;
  /** `all`: optimize for scanning all matches; `few`: for looking up a few records. */
  readonly finds: "all" | "few";
}

/** Returns undefined if no record of the kind can match these values. */
type FilterCondition = (bound: BoundValues) => SQL | undefined;

export const BY_SUBJECTS = "by its subjects";

type NarrowsKinds = Readonly<
  Record<Exclude<FilteredKind, FeedKind>, FilterCondition | undefined> &
    Record<FeedKind, FilterCondition | typeof BY_SUBJECTS>
>;

/**
 * Use of a filter by `recall`. `shared`: as in lists; `own`: through recall's own field of that
 * name, since graph neighbors are filtered too; `meaningless`: ignored, since the query selects the
 * words.
 */
export type InRecall = "shared" | "own" | "meaningless";

/** A filter for all record queries. Missing properties and unhandled kinds are compile errors. */
export interface Filter<
  Field extends z.ZodType = z.ZodType,
  Narrows = NarrowsKinds,
  Recalled extends InRecall = InRecall,
> {
  readonly field: Field;
  readonly suggests?: "entity" | "label" | "topic" | "author" | "session" | "type";
  readonly inRecall: Recalled;
  /** Ascending rank by expected matches, evaluated first. Undefined: matches most records. */
  readonly selectivity: number | undefined;
  parts(input: unknown, context: FilterContext): Promise<readonly FilterPart[]>;
  readonly narrows: Narrows;
  /**
   * Condition for a fact cluster to match. In recall one matching fact is enough. `itself`: as a
   * concept; `lists`: one fact is enough in lists too; `facts`: in recall only its facts count.
   */
  readonly ofClusters: "itself" | "lists" | "facts";
  readonly numbers?: Readonly<Partial<Record<FilteredKind, FilterCondition | undefined>>>;
}

type FilterDefinition<Field extends z.ZodType, Narrows, Recalled extends InRecall> = Omit<
  Filter<Field, Narrows, Recalled>,
  "parts" | "ofClusters"
> & {
  readonly ofClusters?: Filter["ofClusters"];
  parts(
    input: NonNullable<z.output<Field>>,
    context: FilterContext,
  ): readonly FilterPart[] | Promise<readonly FilterPart[]>;
};

/** Checks `parts` against the field's output type and infers the kinds it applies to. */
export function defineFilter<
  Field extends z.ZodType,
  Narrows extends NarrowsKinds,
  const Recalled extends InRecall,
>(definition: FilterDefinition<Field, Narrows, Recalled>): Filter<Field, Narrows, Recalled> {
  return {
    ofClusters: "itself",
    ...definition,
    parts: async (input, context) =>
      definition.parts(input as NonNullable<z.output<Field>>, context),
  };
}

type Columns = typeof FILTERED_TABLES;

export interface OfContents {
  readonly episode: FilterCondition;
  readonly fact: FilterCondition;
  readonly concept: FilterCondition;
  readonly entity: FilterCondition;
  readonly passage: FilterCondition;
  readonly conflict: FilterCondition;
  readonly change: typeof BY_SUBJECTS;
  readonly event: typeof BY_SUBJECTS;
  readonly source: undefined;
  readonly proposal: undefined;
}

/** Builds the condition for each kind of record from its columns; a conflict uses its facts. */
export function onEachKind(
  make: (columns: KindColumns, kind: RecordKind) => FilterCondition,
): OfContents {
  const of = (kind: RecordKind) => make(FILTERED_TABLES[kind], kind);
  return {
    episode: of("episode"),
    fact: of("fact"),
    concept: of("concept"),
    entity: of("entity"),
    passage: of("passage"),
    conflict: conditionOnFacts(of("fact")),
    change: BY_SUBJECTS,
    event: BY_SUBJECTS,
    source: undefined,
    proposal: undefined,
  };
}

type OnColumn<Name extends keyof KindColumns> = {
  readonly [Kind in FilteredKind]: Columns[Kind] extends Readonly<Record<Name, object>>
    ? FilterCondition
    : Kind extends "conflict"
      ? FilterCondition
      : Kind extends FeedKind
        ? typeof BY_SUBJECTS
        : undefined;
};

export function onColumn<Name extends keyof KindColumns>(
  name: Name,
  make: (column: NonNullable<KindColumns[Name]>, bound: BoundValues) => SQL,
): OnColumn<Name> {
  const of = (kind: FilteredKind): FilterCondition | undefined => {
    const columns: Partial<KindColumns> = FILTERED_TABLES[kind];
    const column = columns[name];
    if (column !== undefined) return (bound) => make(column, bound);
    return kind === "conflict" ? conditionOnFacts(of("fact")) : undefined;
  };
  const narrows: NarrowsKinds = {
    episode: of("episode"),
    fact: of("fact"),
    concept: of("concept"),
    entity: of("entity"),
    passage: of("passage"),
    conflict: of("conflict"),
    change: of("change") ?? BY_SUBJECTS,
    event: of("event") ?? BY_SUBJECTS,
    source: of("source"),
    proposal: of("proposal"),
  };
  return narrows as OnColumn<Name>;
}

function conditionOnFacts(ofFact: FilterCondition | undefined): FilterCondition {
  return (bound) => {
    const condition = ofFact?.(bound);
    return condition && sql`exists (${selectConflictSide(condition)})`;
  };
}

export function selectConflictSide(condition: SQL): SQL {
  return sql`select 1 from ${FILTERED_TABLES.fact.from} where ${FILTERED_TABLES.fact.number} in (${conflicts.factA}, ${conflicts.factB}) and ${condition}`;
}

/** Matches any of these texts. A single text is compared directly, which every index supports. */
export function textFilterParts(texts: readonly string[]): readonly FilterPart[] {
  const [only] = texts;
  return only !== undefined && texts.length === 1
    ? [{ form: "one", values: { only } }]
    : [{ values: { texts } }];
}

export function isAnyOf(column: SQL, { form, one, many }: BoundValues): SQL {
  return form === "one" ? sql`${column} = ${one("only")}` : sql`${column} in (${many("texts")})`;
}

export function joinConditions(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const known = conditions.filter((condition) => condition !== undefined);
  if (known.length < conditions.length) return undefined;
  return known.length === 0 ? sql`true` : sql.join(known, sql` and `);
}

export const mentions = onEachKind(({ episode, number }, kind) => {
  if (kind === "passage") return () => undefined;
  if (kind === "entity") return ({ one }) => sql`${entities.id} = ${one("number")}`;
  if (episode === undefined) {
    return (bound) => (bound.finds === "all" ? isAmong(number, bound) : wasMadeFrom(number, bound));
  }
  return (bound) =>
    bound.finds === "all"
      ? sql`${episode} in (${selectMentioning(bound)})`
      : sql`exists (select 1 from ${episodeEntities} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${bound.one("number")})`;
});

export const mentionedBy = {
  episode: selectMentioning,
  concept: (bound: BoundValues) => selectDerivedFrom(selectMentioning(bound)),
};

function selectMentioning({ one }: BoundValues): SQL {
  return sql`select ${episodeEntities.episodeId} as number from ${episodeEntities} where ${episodeEntities.entityId} = ${one("number")}`;
}

function selectDerivedFrom(message: SQL): SQL {
  return sql`select ${conceptSources.conceptId} as number from ${conceptSources} where ${conceptSources.episodeId} in (${message}) union select ${evidence.conceptId} from ${evidence} where ${evidence.episodeId} in (${message})`;
}

function isAmong(concept: SQL, { one }: BoundValues): SQL {
  const message = sql`select ${episodes.id} from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null`;
  return sql`${concept} in (${selectDerivedFrom(message)})`;
}

function wasMadeFrom(concept: SQL, bound: BoundValues): SQL {
  const { one } = bound;
  const assertedByCondition = (episode: SQL) =>
    sql`exists (select 1 from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null)`;
  return sql`(exists (select 1 from ${conceptSources} where ${conceptSources.conceptId} = ${concept} and ${assertedByCondition(sql`${conceptSources.episodeId}`)}) or exists (select 1 from ${evidence} where ${evidence.conceptId} = ${concept} and ${assertedByCondition(sql`${evidence.episodeId}`)}))`;
}
