import { and, eq, inArray, like, or, sql } from "drizzle-orm";
import { contains, type Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { episodeEntities, episodes } from "../../episodes/episode.table.ts";
import { changes, rowChanges } from "../../events/change.table.ts";
import { events } from "../../events/event.table.ts";
import { imageOf } from "../../history/describe-rows.ts";
import { NAMELESS, type SoughtPerson } from "./sought-person.ts";

/**
 * Numbers of episodes, including deleted ones, that the person wrote or that mention them or once
 * did.
 */
export async function findEpisodes(tx: Tx, { name, entity }: SoughtPerson): Promise<EpisodesOf> {
  const written = name === undefined ? new Set<number>() : await writtenBy(tx, name);
  const naming = entity === undefined ? [] : await namingIt(tx, entity.id);
  return { written, all: [...new Set([...written, ...naming])].sort((a, b) => a - b) };
}

export interface EpisodesOf {
  readonly written: ReadonlySet<number>;
  /** The person's own episodes and those that mention them. */
  readonly all: readonly number[];
}

async function writtenBy(tx: Tx, name: string): Promise<Set<number>> {
  const asserted = await tx
    .select({ id: episodes.id })
    .from(episodes)
    .where(eq(episodes.assertedBy, name));
  return new Set([
    ...asserted.map(({ id }) => id),
    ...(await assertedInLog(tx, name)),
    ...(await rememberedBy(tx, name)),
  ]);
}

/** Episodes that only the row log attributes to the person: an undone one has no other row. */
async function assertedInLog(tx: Tx, name: string): Promise<number[]> {
  const quoted = sql`${JSON.stringify(name)}`;
  const rows = await tx
    .select({ key: rowChanges.rowKey, before: rowChanges.before, after: rowChanges.after })
    .from(rowChanges)
    .where(
      and(
        eq(rowChanges.tableName, "episodes"),
        or(
          contains(sql`coalesce(${rowChanges.before}, '')`, quoted),
          contains(sql`coalesce(${rowChanges.after}, '')`, quoted),
        ),
      ),
    );
  return rows
    .filter((row) => [row.before, row.after].some((json) => imageOf(json).asserted_by === name))
    .map(({ key }) => (JSON.parse(key) as [number])[0]);
}

/** Episodes written with the person's token that are not attributed to somebody else. */
async function rememberedBy(tx: Tx, name: string): Promise<number[]> {
  const rows = await tx
    .select({ id: events.subjectId })
    .from(events)
    .innerJoin(changes, eq(changes.id, events.changeId))
    .where(
      and(
        eq(changes.author, name),
        eq(events.subjectType, "episode"),
        inArray(events.kind, ["remembered", "learned"]),
      ),
    );
  const numbers = rows.map(({ id }) => Number(id.slice("ep:".length)));
  const found = await loadInBatches(numbers, (slice) =>
    tx
      .select({ id: episodes.id, assertedBy: episodes.assertedBy })
      .from(episodes)
      .where(inArray(episodes.id, slice)),
  );
  const there = new Set(found.map(({ id }) => id));
  const undone = numbers.filter((number) => !there.has(number));
  return [
    ...found.filter(({ assertedBy }) => NAMELESS.has(assertedBy)).map(({ id }) => id),
    ...(await namelessInLog(tx, undone)),
  ];
}

/** Undone episodes without an author, found by the row that the undo removed. */
async function namelessInLog(tx: Tx, numbers: readonly number[]): Promise<number[]> {
  const keys = numbers.map((number) => JSON.stringify([number]));
  const rows = await loadInBatches(keys, (slice) =>
    tx
      .select({ key: rowChanges.rowKey, before: rowChanges.before })
      .from(rowChanges)
      .where(
        and(
          eq(rowChanges.tableName, "episodes"),
          eq(rowChanges.action, "delete"),
          inArray(rowChanges.rowKey, slice),
        ),
      ),
  );
  return rows
    .filter(({ before }) => {
      const author = imageOf(before).asserted_by ?? null;
      return before !== null && NAMELESS.has(typeof author === "number" ? null : author);
    })
    .map(({ key }) => (JSON.parse(key) as [number])[0]);
}

async function namingIt(tx: Tx, entity: number): Promise<number[]> {
  const named = await tx
    .select({ id: episodeEntities.episodeId })
    .from(episodeEntities)
    .where(eq(episodeEntities.entityId, entity));
  const logged = await tx
    .select({ key: rowChanges.rowKey })
    .from(rowChanges)
    .where(
      and(eq(rowChanges.tableName, "episode_entities"), like(rowChanges.rowKey, `%,${entity}]`)),
    );
  return [
    ...named.map(({ id }) => id),
    ...logged.map(({ key }) => (JSON.parse(key) as [number, number])[0]),
  ];
}
