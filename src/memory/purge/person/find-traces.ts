import { and, eq, inArray, ne } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { purgedItems } from "../../context/meta.table.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { changes } from "../../events/change.table.ts";
import { events } from "../../events/event.table.ts";
import { episodeId, passageId, proposalId, sourceId } from "../../input/item-ids.ts";
import { conceptLabels, episodeLabels } from "../../labels/label.table.ts";
import { HOLD } from "../../labels/legal-hold.ts";
import { readDraft } from "../../proposals/claim.ts";
import { proposals } from "../../proposals/proposal.table.ts";
import { passages, sources } from "../../sources/source.table.ts";
import { PURGED } from "../text-columns.ts";
import { findEpisodes } from "./find-episodes.ts";
import { NAMELESS, type SoughtPerson } from "./sought-person.ts";

export interface HeldItem {
  readonly id: string;
  /** The name of the legal hold. */
  readonly hold: string;
}

/** All that there is of a person in one database. */
export interface Traces {
  /**
   * Ids of what is purged, in the order of purging: purging a source also takes the proposals that
   * quote it.
   */
  readonly ids: readonly string[];
  /** What would be purged but is under a legal hold. */
  readonly held: readonly HeldItem[];
  /** Sessions in which the person wrote, except those of items that are held. */
  readonly sessions: ReadonlySet<string>;
}

export async function findTraces(tx: Tx, sought: SoughtPerson): Promise<Traces> {
  const { written, all } = await findEpisodes(tx, sought);
  const made = sought.name === undefined ? [] : await conceptsMadeBy(tx, sought.name);
  const held = [...(await heldEpisodes(tx, all)), ...(await heldConcepts(tx, made))];
  const sessions = await sessionsOf(tx, written, new Set(held.map(({ id }) => id)));
  const ids = [
    ...(await proposalsOf(tx, sought, sessions)),
    ...(await sourcesOf(tx, sessions)),
    ...(await passagesOf(tx, sought.name, sessions)),
    ...all.map(episodeId),
    ...made,
  ];
  return { ids: await withoutGone(tx, ids, held), held, sessions };
}

async function conceptsMadeBy(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: concepts.publicId })
    .from(events)
    .innerJoin(changes, eq(changes.id, events.changeId))
    .innerJoin(concepts, eq(concepts.publicId, events.subjectId))
    .where(
      and(
        eq(changes.author, name),
        eq(events.kind, "concept_created"),
        ne(concepts.type, FACT_CLUSTER),
      ),
    );
  return rows.map(({ id }) => id);
}

async function heldEpisodes(tx: Tx, numbers: readonly number[]): Promise<HeldItem[]> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx
      .select({ id: episodeLabels.episodeId, hold: episodeLabels.value })
      .from(episodeLabels)
      .where(and(inArray(episodeLabels.episodeId, slice), eq(episodeLabels.key, HOLD))),
  );
  return rows.map(({ id, hold }) => ({ id: episodeId(id), hold }));
}

async function heldConcepts(tx: Tx, ids: readonly string[]): Promise<HeldItem[]> {
  return loadInBatches(ids, (slice) =>
    tx
      .select({ id: concepts.publicId, hold: conceptLabels.value })
      .from(conceptLabels)
      .innerJoin(concepts, eq(concepts.id, conceptLabels.conceptId))
      .where(and(inArray(concepts.publicId, slice), eq(conceptLabels.key, HOLD))),
  );
}

async function sessionsOf(
  tx: Tx,
  written: ReadonlySet<number>,
  held: ReadonlySet<string>,
): Promise<Set<string>> {
  const rows = await loadInBatches([...written], (slice) =>
    tx
      .select({ id: episodes.id, session: episodes.session })
      .from(episodes)
      .where(inArray(episodes.id, slice)),
  );
  const isHeld = ({ id }: { id: number }) => held.has(episodeId(id));
  const kept = new Set(rows.filter(isHeld).map(({ session }) => session));
  return new Set(
    rows.flatMap(({ session }) => (session === null || kept.has(session) ? [] : [session])),
  );
}

async function sourcesOf(tx: Tx, sessions: ReadonlySet<string>): Promise<string[]> {
  const rows = await loadInBatches([...sessions], (slice) =>
    tx
      .select({ id: sources.id })
      .from(sources)
      .where(and(inArray(sources.key, slice), ne(sources.title, PURGED))),
  );
  return rows.map(({ id }) => sourceId(id));
}

/** Passages of the person in sources that stay, such as their commits. */
async function passagesOf(
  tx: Tx,
  name: string | undefined,
  sessions: ReadonlySet<string>,
): Promise<string[]> {
  if (name === undefined) return [];
  const rows = await tx
    .select({ id: passages.id, source: sources.key })
    .from(passages)
    .innerJoin(sources, eq(sources.id, passages.sourceId))
    .where(eq(passages.assertedBy, name));
  return rows.filter(({ source }) => !sessions.has(source)).map(({ id }) => passageId(id));
}

/** Proposals that became one of these episodes, or that quote one of these passages. */
async function proposalsOf(
  tx: Tx,
  { name, entity }: SoughtPerson,
  sessions: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await tx
    .select({ id: proposals.id, draft: proposals.draft, episode: proposals.episodeId })
    .from(proposals);
  const concerns = (stored: unknown): boolean => {
    const draft = readDraft(stored);
    const names = (draft.entities ?? []).some(
      ({ type, key }) => entity !== undefined && type === entity.type && key === entity.key,
    );
    const author = draft.asserted_by ?? null;
    const isOfSession = sessions.has(draft.session ?? "") && NAMELESS.has(author);
    return names || isOfSession || (name !== undefined && author === name);
  };
  return rows
    .filter(({ draft, episode }) => episode === null && concerns(draft))
    .map(({ id }) => proposalId(id));
}

async function withoutGone(
  tx: Tx,
  ids: readonly string[],
  held: readonly HeldItem[],
): Promise<string[]> {
  const gone = await loadInBatches(ids, (slice) =>
    tx.select({ item: purgedItems.item }).from(purgedItems).where(inArray(purgedItems.item, slice)),
  );
  const stay = new Set([...gone.map(({ item }) => item), ...held.map(({ id }) => id)]);
  return ids.filter((id) => !stay.has(id));
}
