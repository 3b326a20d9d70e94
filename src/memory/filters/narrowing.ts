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
  FILTERED,
  type FilteredKind,
  type KindColumns,
  type RecordKind,
} from "./filtered-kinds.ts";

export interface FilterContext {
  readonly tx: Tx;
  /** Timestamp. */
  readonly now: string;
  readonly episodeTypes: readonly string[];
  /** An entity that was looked up before. */
  readonly knownEntity?: EntityRow | undefined;
  readonly given?: Readonly<Record<string, unknown>>;
}

export interface FilterPart {
  readonly values: Readonly<Record<string, string | number | readonly string[]>>;
  readonly form?: string;
}

export interface BoundValues {
  one(name: string): SQL;
  /** A list of texts as a subquery. */
  many(name: string): SQL;
  readonly form: string;
  /** True if all that pass are searched for, or a few records looked up. */
  readonly finds: "all" | "few";
}

/** Undefined: no record of the kind can pass with these values. */
type FilterCondition = (bound: BoundValues) => SQL | undefined;

export const BY_SUBJECTS = "by its subjects";

type NarrowsKinds = Readonly<
  Record<Exclude<FilteredKind, FeedKind>, FilterCondition | undefined> &
    Record<FeedKind, FilterCondition | typeof BY_SUBJECTS>
>;

/**
 * How `recall` takes a filter. `shared`: as lists do; `own`: by a field of its own with that name,
 * since what the graph leads to is looked at as of then, too; `meaningless`: not at all, since its
 * query says already which words are wanted.
 */
export type InRecall = "shared" | "own" | "meaningless";

/**
 * One filter, for every question that narrows records. A filter of which one of these is not said
 * does not compile, and neither does a kind of records that a filter does not speak of.
 */
export interface Filter<
  Field extends z.ZodType = z.ZodType,
  Narrows = NarrowsKinds,
  Recalled extends InRecall = InRecall,
> {
  /** How callers give it: flags, query strings, tools and forms are made from it. */
  readonly field: Field;
  /** The kind of `suggest` that completes it. */
  readonly suggests?: "entity" | "label" | "topic" | "author" | "session" | "type";
  readonly inRecall: Recalled;
  /**
   * Its place among filters that are given together: the records that pass the one with the
   * smallest number are read through first. Undefined: most records pass, so it never is that one.
   */
  readonly selectivity: number | undefined;
  /** Undefined: a value that narrows nothing. Throws what keeps it from being understood. */
  parts(given: unknown, context: FilterContext): Promise<readonly FilterPart[]>;
  /** The condition on records of each kind; undefined: none of them passes. */
  readonly narrows: Narrows;
  /**
   * How a fact cluster passes. In recall one of its facts is always enough; beyond that
   * `itself`: it passes as any concept does; `lists`: in lists too one of its facts is enough;
   * `facts`: in recall its facts alone decide, since what it is itself says nothing of them.
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
    given: NonNullable<z.output<Field>>,
    context: FilterContext,
  ): readonly FilterPart[] | Promise<readonly FilterPart[]>;
};

/** Checks `parts` against the type that its field is read as, and keeps which kinds it narrows. */
export function defineFilter<
  Field extends z.ZodType,
  Narrows extends NarrowsKinds,
  const Recalled extends InRecall,
>(definition: FilterDefinition<Field, Narrows, Recalled>): Filter<Field, Narrows, Recalled> {
  return {
    ofClusters: "itself",
    ...definition,
    parts: async (given, context) =>
      definition.parts(given as NonNullable<z.output<Field>>, context),
  };
}

type Columns = typeof FILTERED;

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

/** The condition on each kind of records, from its columns; a conflict passes by its facts. */
export function onEachKind(
  make: (columns: KindColumns, kind: RecordKind) => FilterCondition,
): OfContents {
  const of = (kind: RecordKind) => make(FILTERED[kind], kind);
  return {
    episode: of("episode"),
    fact: of("fact"),
    concept: of("concept"),
    entity: of("entity"),
    passage: of("passage"),
    conflict: throughFacts(of("fact")),
    change: BY_SUBJECTS,
    event: BY_SUBJECTS,
    source: undefined,
    proposal: undefined,
  };
}

/** True if the kind has the column: such lists take the filter, and others do not. */
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
    const columns: Partial<KindColumns> = FILTERED[kind];
    const column = columns[name];
    if (column !== undefined) return (bound) => make(column, bound);
    return kind === "conflict" ? throughFacts(of("fact")) : undefined;
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

/** One of the two facts of the conflict passes. */
function throughFacts(ofFact: FilterCondition | undefined): FilterCondition {
  return (bound) => {
    const condition = ofFact?.(bound);
    return condition && sql`exists (${sidesWhere(condition)})`;
  };
}

/** The facts of a conflict that pass. */
export function sidesWhere(condition: SQL): SQL {
  return sql`select 1 from ${FILTERED.fact.from} where ${FILTERED.fact.number} in (${conflicts.factA}, ${conflicts.factB}) and ${condition}`;
}

/** Any of these texts; a single one is compared without a list, which every index knows how to use. */
export function anyOf(texts: readonly string[]): readonly FilterPart[] {
  const [only] = texts;
  return only !== undefined && texts.length === 1
    ? [{ form: "one", values: { only } }]
    : [{ values: { texts } }];
}

/** The column is any of the texts that `anyOf` gave. */
export function isAnyOf(column: SQL, { form, one, many }: BoundValues): SQL {
  return form === "one" ? sql`${column} = ${one("only")}` : sql`${column} in (${many("texts")})`;
}

/** All of them; undefined when one of them lets nothing pass. */
export function allOf(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const known = conditions.filter((condition) => condition !== undefined);
  if (known.length < conditions.length) return undefined;
  return known.length === 0 ? sql`true` : sql.join(known, sql` and `);
}

/** The record is the entity, or mentions it, or was made from an episode that does; passages mention none. */
export const mentions = onEachKind(({ episode, number }, kind) => {
  if (kind === "passage") return () => undefined;
  if (kind === "entity") return ({ one }) => sql`${entities.id} = ${one("number")}`;
  if (episode === undefined) {
    return (bound) => (bound.finds === "all" ? isAmong(number, bound) : wasMadeFrom(number, bound));
  }
  return (bound) =>
    bound.finds === "all"
      ? sql`${episode} in (${mentioning(bound)})`
      : sql`exists (select 1 from ${episodeEntities} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${bound.one("number")})`;
});

export const mentionedBy = {
  episode: mentioning,
  concept: (bound: BoundValues) => madeFrom(mentioning(bound)),
};

function mentioning({ one }: BoundValues): SQL {
  return sql`select ${episodeEntities.episodeId} as number from ${episodeEntities} where ${episodeEntities.entityId} = ${one("number")}`;
}

function madeFrom(said: SQL): SQL {
  return sql`select ${conceptSources.conceptId} as number from ${conceptSources} where ${conceptSources.episodeId} in (${said}) union select ${evidence.conceptId} from ${evidence} where ${evidence.episodeId} in (${said})`;
}

function isAmong(concept: SQL, { one }: BoundValues): SQL {
  const said = sql`select ${episodes.id} from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null`;
  return sql`${concept} in (${madeFrom(said)})`;
}

function wasMadeFrom(concept: SQL, bound: BoundValues): SQL {
  const { one } = bound;
  const says = (episode: SQL) =>
    sql`exists (select 1 from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null)`;
  return sql`(exists (select 1 from ${conceptSources} where ${conceptSources.conceptId} = ${concept} and ${says(sql`${conceptSources.episodeId}`)}) or exists (select 1 from ${evidence} where ${evidence.conceptId} = ${concept} and ${says(sql`${evidence.episodeId}`)}))`;
}
