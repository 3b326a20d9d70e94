import { and, asc, count, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { type EventKind, events } from "../events/event.table.ts";
import { parseNumberedId } from "../input/item-ids.ts";
import { CONTRADICTS } from "../labels/contradicts-label.ts";
import { isHeld } from "../learned/find-contradicted.ts";

/** After which an episode says something that nobody held against other layers yet. */
const SAYING: EventKind[] = ["remembered", "updated", "restored", "accepted"];

const said = (since: number) =>
  and(gt(events.seq, since), inArray(events.kind, SAYING), eq(events.subjectType, "episode"));

export interface SaidSince {
  /** Number of the last event that was looked at. */
  readonly through: number;
  /** Claims that hold by now. */
  readonly claims: readonly EpisodeRecord[];
}

/** What was said after an event, of so many events at most; undefined where nothing was. */
export async function saidSince(
  tx: Tx,
  since: number,
  most: number,
): Promise<SaidSince | undefined> {
  const rows = await tx
    .select({ seq: events.seq, id: events.subjectId })
    .from(events)
    .where(said(since))
    .orderBy(asc(events.seq))
    .limit(most);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const numbers = rows.map(({ id }) => parseNumberedId(id, "episode", "id"));
  const records = await loadEpisodes(tx, [...new Set(numbers)]);
  return { through: last.seq, claims: records.filter(isHeld) };
}

/** How many events there are to look at after this one. */
export async function countSaidSince(tx: Tx, since: number): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(events).where(said(since));
  return row?.total ?? 0;
}

/**
 * The contradictions that somebody left at that, by taking the label off: by id of the episode, what the label
 * named, or `null` for every one. A later edit of the episode is held against other layers by its own write.
 */
export async function leftAtThat(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string | null>>> {
  const left = new Map<string, Set<string | null>>();
  if (ids.length === 0) return left;
  const rows = await tx
    .select({ id: events.subjectId, payload: events.payload })
    .from(events)
    .where(
      and(
        eq(events.kind, "unlabeled"),
        eq(events.subjectType, "episode"),
        inArray(events.subjectId, [...ids]),
      ),
    );
  for (const { id, payload } of rows) {
    if (payload?.key !== CONTRADICTS) continue;
    const value = typeof payload.value === "string" ? payload.value : null;
    left.set(id, (left.get(id) ?? new Set()).add(value));
  }
  return left;
}
