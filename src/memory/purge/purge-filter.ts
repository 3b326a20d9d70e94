import { and, eq, inArray, like, ne, or, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { conceptSources, concepts, evidence } from "../concepts/concept.table.ts";
import { purgedItems } from "../context/meta.table.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { entityRelations } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { events } from "../events/event.table.ts";
import { parseImage } from "../history/describe-rows.ts";
import {
  episodeId,
  kindOfId,
  parseNumberedId,
  passageId,
  proposalId,
  sourceId,
} from "../input/item-ids.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { episodeLabels } from "../labels/label.table.ts";
import { readDraft } from "../proposals/proposal.queries.ts";
import { proposals } from "../proposals/proposal.table.ts";
import { passages, sources } from "../sources/source.table.ts";
import { clearNotes, keyEndsWith, keyStartsWith } from "./clear-notes.ts";
import { forgetUnused } from "./forget-entities.ts";
import { PURGED_TEXT } from "./text-columns.ts";

export interface PurgeFilter {
  readonly by?: string | undefined;
  /** `type:name` of an entity that the item mentions or once mentioned. */
  readonly entity?: string | undefined;
  readonly label?: Pick<LabelRecord, "key"> & { readonly value?: string | undefined };
}

/** Author values of unnamed sessions, whose items belong to the token's owner. */
const ANONYMOUS_AUTHORS: ReadonlySet<string | null> = new Set([null, "", "user", "assistant"]);

/**
 * Returns the ids of all matches, deleted items included, in purge order. Passages and proposals
 * match by author only.
 */
export async function findMatching(
  tx: Tx,
  { by, entity, label }: PurgeFilter,
): Promise<readonly string[]> {
  const known = entity === undefined ? undefined : await findEntity(tx, parseEntity(entity));
  const sets = [
    ...(by === undefined ? [] : [await findWrittenBy(tx, by)]),
    ...(entity === undefined
      ? []
      : [new Set(known === undefined ? [] : await findMentioning(tx, known.id))]),
    ...(label === undefined ? [] : [await findLabelled(tx, label)]),
  ];
  const [first = new Set<number>(), ...others] = sets;
  const numbers = [...first].filter((number) => others.every((set) => set.has(number)));
  const ofAuthor =
    by === undefined || sets.length > 1
      ? []
      : [...(await findProposalsBy(tx, by)), ...(await findPassagesBy(tx, by))];
  const ids = [...ofAuthor, ...numbers.sort((a, b) => a - b).map(episodeId)];
  const removed = await loadInBatches(ids, (slice) =>
    tx.select({ item: purgedItems.item }).from(purgedItems).where(inArray(purgedItems.item, slice)),
  );
  const purged = new Set(removed.map(({ item }) => item));
  return ids.filter((id) => !purged.has(id));
}

/** Deletes the entity with its relations, unless a remaining item mentions it. */
export async function forgetNamedEntity(tx: Tx, id: string): Promise<void> {
  const entity = await findEntity(tx, parseEntity(id));
  if (entity === undefined) return;
  const { sourceId: from, targetId: to } = entityRelations;
  await tx.delete(entityRelations).where(or(eq(from, entity.id), eq(to, entity.id)));
  const { tableName, rowKey } = rowChanges;
  const keys = or(keyStartsWith(entity.id), like(rowKey, `[%,${entity.id},%`));
  await clearNotes(tx, and(eq(tableName, "entity_relations"), keys));
  await forgetUnused(tx, [entity.id]);
}

export interface DerivedItem {
  readonly id: string;
  readonly title: string;
}

/**
 * Finds remaining concepts and sources derived from these items, whose titles and summaries may
 * repeat the purged text. Call before the purge.
 */
export async function findDerived(tx: Tx, ids: readonly string[]): Promise<readonly DerivedItem[]> {
  const getNumbers = (kind: "episode" | "passage") =>
    ids.flatMap((id) => (kindOfId(id) === kind ? [parseNumberedId(id, kind, "ids")] : []));
  const loadDerived = (table: typeof evidence | typeof conceptSources) =>
    loadInBatches(getNumbers("episode"), (slice) =>
      tx
        .selectDistinct({ id: concepts.publicId, title: concepts.title })
        .from(table)
        .innerJoin(concepts, eq(concepts.id, table.conceptId))
        .where(and(inArray(table.episodeId, slice), ne(concepts.type, FACT_CLUSTER))),
    );
  const read = await loadInBatches(getNumbers("passage"), (slice) =>
    tx
      .selectDistinct({ number: sources.id, title: sources.title })
      .from(passages)
      .innerJoin(sources, eq(sources.id, passages.sourceId))
      .where(inArray(passages.id, slice)),
  );
  const found = [
    ...(await loadDerived(conceptSources)),
    ...(await loadDerived(evidence)),
    ...read.map(({ number, title }) => ({ id: sourceId(number), title })),
  ].filter(({ id, title }) => title !== PURGED_TEXT && !ids.includes(id));
  return [...new Map(found.map((item) => [item.id, item])).values()];
}

async function findLabelled(
  tx: Tx,
  { key, value }: NonNullable<PurgeFilter["label"]>,
): Promise<Set<number>> {
  const has: (SQL | undefined)[] = [
    eq(episodeLabels.key, key),
    value === undefined ? undefined : eq(episodeLabels.value, value),
  ];
  const rows = await tx
    .selectDistinct({ id: episodeLabels.episodeId })
    .from(episodeLabels)
    .where(and(...has));
  return new Set(rows.map(({ id }) => id));
}

async function findPassagesBy(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx
    .select({ id: passages.id })
    .from(passages)
    .where(eq(passages.assertedBy, name));
  return rows.map(({ id }) => passageId(id));
}

async function findProposalsBy(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx
    .select({ id: proposals.id, draft: proposals.draft, episode: proposals.episodeId })
    .from(proposals);
  return rows
    .filter(({ draft, episode }) => episode === null && readDraft(draft).asserted_by === name)
    .map(({ id }) => proposalId(id));
}

async function findWrittenBy(tx: Tx, name: string): Promise<Set<number>> {
  const asserted = await tx
    .select({ id: episodes.id })
    .from(episodes)
    .where(eq(episodes.assertedBy, name));
  return new Set([
    ...asserted.map(({ id }) => id),
    ...(await findAssertedInLog(tx, name)),
    ...(await findRememberedBy(tx, name)),
  ]);
}

async function findAssertedInLog(tx: Tx, name: string): Promise<number[]> {
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
    .filter((row) => [row.before, row.after].some((json) => parseImage(json).asserted_by === name))
    .map(({ key }) => (JSON.parse(key) as [number])[0]);
}

async function findRememberedBy(tx: Tx, name: string): Promise<number[]> {
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
    ...found.filter(({ assertedBy }) => ANONYMOUS_AUTHORS.has(assertedBy)).map(({ id }) => id),
    ...(await findAnonymousInLog(tx, undone)),
  ];
}

async function findAnonymousInLog(tx: Tx, numbers: readonly number[]): Promise<number[]> {
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
      const author = parseImage(before).asserted_by ?? null;
      return before !== null && ANONYMOUS_AUTHORS.has(typeof author === "number" ? null : author);
    })
    .map(({ key }) => (JSON.parse(key) as [number])[0]);
}

async function findMentioning(tx: Tx, entity: number): Promise<number[]> {
  const named = await tx
    .select({ id: episodeEntities.episodeId })
    .from(episodeEntities)
    .where(eq(episodeEntities.entityId, entity));
  const logged = await tx
    .select({ key: rowChanges.rowKey })
    .from(rowChanges)
    .where(and(eq(rowChanges.tableName, "episode_entities"), keyEndsWith([entity])));
  return [
    ...named.map(({ id }) => id),
    ...logged.map(({ key }) => (JSON.parse(key) as [number, number])[0]),
  ];
}
