import { type SQL, sql } from "drizzle-orm";
import { conflicts } from "../conflicts/conflict.table.ts";
import {
  type BoundValues,
  BY_SUBJECTS,
  type FilterCondition,
  type FilterPart,
  type NarrowsKinds,
} from "./define-filter.ts";
import {
  type FeedKind,
  FILTERED,
  type FilteredKind,
  type KindColumns,
  type RecordKind,
} from "./filtered-kinds.ts";

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
