import { type SQL, sql } from "drizzle-orm";
import { conceptSources } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { collides, inOpenConflict } from "./disputed-facts.ts";
import type { KindColumns, RecordKind } from "./filtered-kinds.ts";
import { onEachKind } from "./narrowing.ts";

/** What a record may be asked to have. */
export const DISPUTES = ["conflict", "collision", "source"] as const;

type Had = (typeof DISPUTES)[number];

const CONDITIONS: Readonly<
  Record<Had, (columns: KindColumns, kind: RecordKind) => SQL | undefined>
> = {
  conflict: (columns) => hasFact(columns, inOpenConflict()),
  collision: (columns) => hasFact(columns, collides()),
  source: ({ episode, number }, kind) => {
    if (episode !== undefined) return sql`${episodes.sourceRef} is not null`;
    if (kind !== "concept") return undefined;
    return sql`${number} in (select ${conceptSources.conceptId} from ${conceptSources})`;
  },
};

export const has = onEachKind(
  (columns, kind) =>
    ({ form }) =>
      CONDITIONS[form as Had](columns, kind),
);

/** The record is, says or gathers a fact of which the condition is true. */
function hasFact({ number, factColumn }: KindColumns, condition: SQL): SQL | undefined {
  if (factColumn === undefined) return undefined;
  return sql`${number} in (select ${factColumn} from ${facts} where ${condition})`;
}
