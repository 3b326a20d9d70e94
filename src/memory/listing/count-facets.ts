import { type SQL, sql } from "drizzle-orm";
import { selectRows, type Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { buildFilterCondition } from "../filters/filter-condition.ts";
import type { FilterName } from "../filters/filter-table.ts";
import { FILTERED_TABLES } from "../filters/filtered-kinds.ts";
import type { RecordFilter } from "../filters/resolve-filter.ts";
import type { ItemKind } from "./item-kinds.ts";

export const FACETS = ["kind", "type", "by", "entity", "label", "topic", "session"] as const;

export type Facet = (typeof FACETS)[number];

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface FacetQuery {
  readonly kinds: readonly ItemKind[];
  readonly filter: RecordFilter;
  readonly limit: number;
}

interface FacetDefinition {
  readonly ignoredFilter?: FilterName;
  select(kind: ItemKind, condition: SQL): SQL | undefined;
}

const FACET_DEFINITIONS: Readonly<Record<Facet, FacetDefinition>> = {
  kind: {
    select: (kind, condition) => selectGrouped(kind, condition, sql`${sql.raw(`'${kind}'`)}`),
  },
  type: {
    ignoredFilter: "type",
    select: (kind, condition) => selectGrouped(kind, condition, FILTERED_TABLES[kind].type),
  },
  by: {
    ignoredFilter: "by",
    select: (kind, condition) => selectGrouped(kind, condition, FILTERED_TABLES[kind].author),
  },
  topic: {
    ignoredFilter: "topic",
    select: (kind, condition) => selectGrouped(kind, condition, FILTERED_TABLES[kind].topic),
  },
  session: {
    ignoredFilter: "session",
    select: (kind, condition) => selectGrouped(kind, condition, FILTERED_TABLES[kind].session),
  },
  entity: {
    select(kind, condition) {
      const { from, episode } = FILTERED_TABLES[kind];
      if (episode === undefined) return undefined;
      return sql`select (select entities.type || ':' || entities.name from entities where entities.id = counted.entity_id), counted.total
        from (select episode_entities.entity_id, count(*) as total from episode_entities
          where episode_entities.episode_id in (select ${episode} from ${from} where ${condition})
          group by episode_entities.entity_id) counted`;
    },
  },
  label: {
    select(kind, condition) {
      const { from, number, episode } = FILTERED_TABLES[kind];
      if (kind === "entity") return undefined;
      const table = sql.raw(kind === "concept" ? "concept_labels" : "episode_labels");
      const owner = sql.raw(kind === "concept" ? "concept_id" : "episode_id");
      return sql`select carried.key || '=' || carried.value, count(*) as total from ${table} carried
        where carried.${owner} in (select ${episode ?? number} from ${from} where ${condition})
        group by carried.key, carried.value`;
    },
  },
};

function selectGrouped(kind: ItemKind, condition: SQL, column: SQL | undefined): SQL | undefined {
  if (column === undefined) return undefined;
  return sql`select ${column} as value, count(*) as total from ${FILTERED_TABLES[kind].from}
    where ${condition} and ${column} is not null group by 1`;
}

/** Counts items by facet value, most first, then by name. */
export async function countFacets(
  tx: Tx,
  facets: readonly Facet[],
  query: FacetQuery,
): Promise<Record<string, FacetValue[]>> {
  const counted: Record<string, FacetValue[]> = {};
  for (const facet of new Set(facets)) {
    await yieldToEventLoop();
    counted[facet] = await countFacet(tx, facet, query);
  }
  return counted;
}

async function countFacet(
  tx: Tx,
  facet: Facet,
  { kinds, filter, limit }: FacetQuery,
): Promise<FacetValue[]> {
  const { ignoredFilter, select } = FACET_DEFINITIONS[facet];
  const totals = new Map<string, number>();
  for (const kind of new Set(kinds)) {
    const condition = buildFilterCondition(kind, filter, ignoredFilter);
    const counts = condition === undefined ? undefined : select(kind, condition);
    if (counts === undefined) continue;
    const rows = await selectRows<[value: string, total: number]>(tx, counts);
    for (const [value, total] of rows) totals.set(value, (totals.get(value) ?? 0) + total);
  }
  return Array.from(totals, ([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}
