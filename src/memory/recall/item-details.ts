import { sql } from "drizzle-orm";
import { listOfValues, numbersNamed, rowQuery, type Tx } from "../../database/index.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";

export interface ItemDetails {
  /** Entity ids of an episode, in written order. */
  readonly entities: ReadonlyMap<number, string[]>;
  /** Sorted by key and value. */
  readonly labels: Readonly<Record<"episode" | "concept", ReadonlyMap<number, LabelRecord[]>>>;
}

/** Loads entities and labels in one statement. */
export async function loadDetails(
  tx: Tx,
  items: { episodes: readonly number[]; concepts: readonly number[] },
): Promise<ItemDetails> {
  const entities = new Map<number, string[]>();
  const labels = { episode: new Map<number, LabelRecord[]>(), concept: new Map() };
  if (items.episodes.length + items.concepts.length === 0) return { entities, labels };
  const rows = await details(tx, {
    episodes: listOfValues(new Set(items.episodes)),
    concepts: listOfValues(items.concepts),
  });
  for (const [what, number, first, second] of rows) {
    if (what === "entity") push(entities, number, entityId({ type: first, name: second }));
    else push<LabelRecord>(labels[what], number, { key: first, value: second });
  }
  return { entities, labels };
}

function push<Value>(lists: Map<number, Value[]>, number: number, value: Value): void {
  const known = lists.get(number);
  if (known === undefined) lists.set(number, [value]);
  else known.push(value);
}

const details = rowQuery<
  [what: "entity" | "episode" | "concept", number: number, first: string, second: string]
>(
  () => sql`select what, number, first, second from (
      select 'entity' as what, episode_entities.episode_id as number, entities.type as first,
        entities.name as second, position
      from episode_entities inner join entities on entities.id = episode_entities.entity_id
      where episode_entities.episode_id in (${numbersNamed("episodes")})
      union all
      select 'episode', episode_id, key, value, 0 from episode_labels
      where episode_id in (${numbersNamed("episodes")})
      union all
      select 'concept', concept_id, key, value, 0 from concept_labels
      where concept_id in (${numbersNamed("concepts")})
    ) order by what, number, position, first, second`,
);
