import { eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { concepts } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import type { EventRecord } from "../events/event.schema.ts";
import { facts } from "../facts/fact.table.ts";
import { proposals } from "../proposals/proposal.table.ts";

/** Number of characters of an item's text are shown with an event. */
const CHARACTERS = 200;

/** Number of subjects of a change are previewed; a reader opens long changes to see the rest. */
const SUBJECTS = 6;

/** The current texts of the first subjects of some events, including deleted items, by id. */
export async function previewSubjects(
  tx: Tx,
  events: readonly EventRecord[],
): Promise<Record<string, string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { subject_type: type, subject_id: id } of events.slice(0, SUBJECTS)) {
    const known = wanted.get(type) ?? new Set<string>();
    wanted.set(type, known.add(id));
  }
  const rows = [
    ...(await texts(wanted.get("episode"), (ids) =>
      tx
        .select({ id: sql<string>`'ep:' || ${episodes.id}`, text: cut(sql`${episodes.content}`) })
        .from(episodes)
        .where(inArray(episodes.id, ids.map(numberOf))),
    )),
    ...(await texts(wanted.get("concept"), (ids) =>
      tx
        .select({ id: concepts.publicId, text: cut(sql`${concepts.title}`) })
        .from(concepts)
        .where(inArray(concepts.publicId, [...ids])),
    )),
    ...(await texts(wanted.get("fact"), (ids) =>
      tx
        .select({ id: sql<string>`'fact:' || ${facts.id}`, text: cut(sql`${episodes.content}`) })
        .from(facts)
        .innerJoin(episodes, eq(episodes.id, facts.episodeId))
        .where(inArray(facts.id, ids.map(numberOf))),
    )),
    ...(await texts(wanted.get("conflict"), (ids) =>
      tx
        .select({
          id: sql<string>`'conflict:' || ${conflicts.id}`,
          text: cut(sql`coalesce(${conflicts.description}, '')`),
        })
        .from(conflicts)
        .where(inArray(conflicts.id, ids.map(numberOf))),
    )),
    ...(await texts(wanted.get("proposal"), (ids) =>
      tx
        .select({
          id: sql<string>`'proposal:' || ${proposals.id}`,
          text: cut(sql`${proposals.content}`),
        })
        .from(proposals)
        .where(inArray(proposals.id, ids.map(numberOf))),
    )),
  ];
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}

type Text = { readonly id: string; readonly text: string };

function texts(
  ids: ReadonlySet<string> | undefined,
  load: (ids: readonly string[]) => Promise<Text[]>,
): Promise<Text[]> {
  return ids === undefined ? Promise.resolve([]) : loadInBatches([...ids], load);
}

function cut(text: ReturnType<typeof sql>) {
  return sql<string>`substr(${text}, 1, ${CHARACTERS})`;
}

/** The row number in a public id: `ep:7` → 7. */
function numberOf(id: string): number {
  return Number(id.slice(id.indexOf(":") + 1));
}
