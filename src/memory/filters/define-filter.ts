import type { SQL } from "drizzle-orm";
import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import type { FeedKind, FilteredKind } from "./filtered-kinds.ts";

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
export type FilterCondition = (bound: BoundValues) => SQL | undefined;

export const BY_SUBJECTS = "by its subjects";

export type NarrowsKinds = Readonly<
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
