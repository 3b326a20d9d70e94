import { type SQL, sql } from "drizzle-orm";
import type { BoundValues, Filter, FilterCondition, FilterPart } from "./define-filter.ts";
import { FILTERED, type KindColumns } from "./filtered-kinds.ts";

type Narrows = Filter["narrows"];

/** The condition on each kind, from its columns. */
export function onEachKind(
  make: (columns: KindColumns, kind: keyof Narrows) => FilterCondition | undefined,
): Narrows {
  const of = (kind: keyof Narrows) => make(FILTERED[kind], kind);
  return {
    episode: of("episode"),
    fact: of("fact"),
    concept: of("concept"),
    entity: of("entity"),
    passage: of("passage"),
  };
}

/** What of `KindColumns` is the value of a single column. */
type ColumnName = {
  [Name in keyof KindColumns]: KindColumns[Name] extends SQL | undefined ? Name : never;
}[keyof KindColumns];

/** The condition on a column, of the kinds that have it. */
export function onColumn(
  name: ColumnName,
  make: (column: SQL, bound: BoundValues) => SQL,
): Narrows {
  return onEachKind((columns) => {
    const column = columns[name];
    return column === undefined ? undefined : (bound) => make(column, bound);
  });
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
