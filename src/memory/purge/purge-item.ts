import { and, eq, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { concepts, evidence, relations } from "../concepts/concept.table.ts";
import { refreshClusterOfEpisode } from "../concepts/refresh-cluster.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import { ID_FIELDS } from "../events/event-items.ts";
import { entityKey } from "../facts/cluster-entities.ts";
import { updateTitleFromEpisode } from "../facts/cluster-title.ts";
import { countActiveFacts, statementHash } from "../facts/fact.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { parseImage, type RowImage } from "../history/describe-rows.ts";
import { findItem, type HistoryItem, rowsCondition } from "../history/find-item.ts";
import { itemTable } from "../history/logged-tables.ts";
import { episodeId, factId, kindOfId, parseNumberedId } from "../input/item-ids.ts";
import { conceptLabels, episodeLabels } from "../labels/label.table.ts";
import { forgetQueries } from "../recall-log/forget-recalls.ts";
import { findReaders } from "../search/renew-vectors.ts";
import { clearNotes, keyEndsWith, keyStartsWith } from "./clear-notes.ts";
import { forgetUnmentionedEntities } from "./forget-entities.ts";
import { purgeStoredResults } from "./purge-answers.ts";
import { purgeProposalsOfEpisode } from "./purge-proposals.ts";
import { PURGED_TEXT, textColumns, tombstone } from "./text-columns.ts";

interface Purge {
  readonly context: WriteContext;
  readonly item: HistoryItem;
  readonly ids: readonly string[];
  readonly fact: typeof facts.$inferSelect | undefined;
  readonly texts: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

/**
 * Removes the text of an episode, fact or concept from every row: its own, rows about it, titles
 * derived from it, conflicts, events, logged rows and stored responses. The item's row remains as a
 * deleted tombstone. Returns the purged ids.
 */
export async function purgeItem(context: WriteContext, id: string): Promise<readonly string[]> {
  const purge = await preparePurge(context, id);
  const { item, ids } = purge;
  if (item.kind === "episode") context.renew(await findReaders(context.tx, [Number(item.key)]));
  const names = await collectNamesInChanges(purge);
  const wasThere = await replaceWithTombstone(purge);
  await purgeFact(purge);
  await purgeRowsAbout(purge);
  if (item.kind === "episode") await purgeProposalsOfEpisode(context, Number(item.key));
  if (item.kind !== "concept") await deleteMentions(context.tx, Number(item.key));
  await context.emit({
    kind: wasThere ? "deleted" : "updated",
    subjectType: item.kind === "concept" ? "concept" : "episode",
    subjectId: item.item,
    payload: { op: "purge", ids: [...ids] },
  });
  await purgeNotes(purge);
  await purgeEvents(purge);
  await context.tx
    .insert(purgedItems)
    .values(ids.map((one) => ({ item: one, ts: context.now })))
    .onConflictDoNothing();
  await purgeStoredResults(context.tx, ids, purge.texts);
  await forgetQueries(context.tx, purge.texts);
  await forgetNames(context.tx, ids, names);
  return ids;
}

async function preparePurge(context: WriteContext, id: string): Promise<Purge> {
  const { tx } = context;
  const kind = kindOfId(id);
  if (kind !== "episode" && kind !== "fact" && kind !== "concept") {
    throw invalidInput(`ids: "${id}" is not the id of an episode, a fact or a concept`);
  }
  const found = await findItem(tx, id);
  const item = found.kind === "fact" ? await findEpisode(tx, found) : found;
  if (item.key === undefined) throw notFound(`ids: there is nothing left of ${id} to purge`);
  if (item.kind === "concept") {
    const active = await countActiveFacts(tx, Number(item.key));
    if (active > 0) {
      throw stateConflict(
        `ids: ${id} is a cluster with ${active} active fact(s); purge those, and its title follows`,
      );
    }
  }
  const [fact] =
    item.kind === "episode"
      ? await tx
          .select()
          .from(facts)
          .where(eq(facts.episodeId, Number(item.key)))
      : [];
  const ids = [item.item, ...(fact === undefined ? [] : [factId(fact.id)])];
  const [texts, labels] = [await loadTexts(tx, item), await loadLabels(tx, item)];
  return { context, item, ids, fact, texts, labels };
}

async function findEpisode(tx: Tx, { item, key }: HistoryItem): Promise<HistoryItem> {
  const [fact] = await tx
    .select({ episode: facts.episodeId })
    .from(facts)
    .where(eq(facts.id, Number(key)));
  if (fact === undefined) throw notFound(`ids: ${item} was undone; purge its episode instead`);
  return { item: episodeId(fact.episode), kind: "episode", key: fact.episode };
}

async function collectNamesInChanges({ context: { tx }, item, fact }: Purge): Promise<Set<string>> {
  const names = new Set<string>();
  const rows = await loadAllImages(tx, item);
  if (fact !== undefined) {
    const pairs = or(eq(conflicts.factA, fact.id), eq(conflicts.factB, fact.id));
    for (const row of await tx.select().from(conflicts).where(pairs)) {
      rows.push({ resolved_by: row.resolvedBy });
      rows.push(...(await loadAllImages(tx, { item: "", kind: "conflict", key: row.id })));
    }
  }
  for (const { asserted_by: asserter, session, resolved_by: resolver } of rows) {
    for (const name of [asserter, session, resolver]) {
      if (typeof name === "string" && name !== "") names.add(name);
    }
  }
  return names;
}

async function loadAllImages(tx: Tx, item: HistoryItem): Promise<RowImage[]> {
  const table = itemTable(item.kind === "label" ? "episode" : item.kind);
  const images: RowImage[] = [];
  const [key] = table.key;
  if (key === undefined) return images;
  const [row] = await tx.select().from(table.table).where(eq(key.column, item.key));
  for (const { name, property } of row === undefined ? [] : table.columns) {
    const value = row?.[property];
    if (typeof value === "string") images.push({ [name]: value });
  }
  const notes = await tx.select().from(rowChanges).where(rowsCondition(item));
  for (const note of notes) {
    if (note.tableName === table.name) images.push(parseImage(note.before), parseImage(note.after));
  }
  return images;
}

async function loadTexts(tx: Tx, item: HistoryItem): Promise<Set<string>> {
  const columns = textColumns(itemTable(item.kind === "concept" ? "concept" : "episode"));
  const texts = new Set<string>();
  for (const image of await loadAllImages(tx, item)) {
    for (const { name } of columns) {
      const value = image[name];
      if (typeof value === "string" && value !== "" && value !== PURGED_TEXT) texts.add(value);
    }
  }
  return texts;
}

async function loadLabels(tx: Tx, { kind, key }: HistoryItem): Promise<Set<string>> {
  const table = kind === "concept" ? "concept_labels" : "episode_labels";
  const rows = await tx
    .select({ key: rowChanges.rowKey })
    .from(rowChanges)
    .where(and(eq(rowChanges.tableName, table), keyStartsWith(Number(key))));
  return new Set(rows.map((row) => (JSON.parse(row.key) as unknown[]).slice(1).join("=")));
}

async function replaceWithTombstone({ context, item }: Purge): Promise<boolean> {
  const { tx, now } = context;
  const isConcept = item.kind === "concept";
  const table = isConcept ? concepts : episodes;
  const number = Number(item.key);
  const [row] = await tx
    .select({ deletedAt: table.deletedAt })
    .from(table)
    .where(eq(table.id, number));
  if (row === undefined) return false;
  const columns = textColumns(itemTable(isConcept ? "concept" : "episode"));
  const empty = Object.fromEntries(columns.map((column) => [column.property, tombstone(column)]));
  await tx
    .update(table)
    .set({ ...empty, topicId: null, deletedAt: row.deletedAt ?? now, updatedAt: now })
    .where(eq(table.id, number));
  context.touch(isConcept ? "concept" : "episode", number);
  return row.deletedAt === null;
}

async function purgeFact({ context, item, fact, texts }: Purge): Promise<void> {
  if (fact === undefined) return;
  const { tx } = context;
  await tx
    .update(facts)
    .set({ statementHash: statementHash(PURGED_TEXT), entityKey: entityKey([]) })
    .where(eq(facts.id, fact.id));
  await tx
    .update(conflicts)
    .set({ description: null, note: null, resolvedBy: null })
    .where(or(eq(conflicts.factA, fact.id), eq(conflicts.factB, fact.id)));
  await refreshClusterOfEpisode(context, Number(item.key));
  for (const formerText of texts) {
    await updateTitleFromEpisode(context, { episode: Number(item.key), formerText });
  }
}

async function purgeRowsAbout({ context, item }: Purge): Promise<void> {
  const { tx } = context;
  const number = Number(item.key);
  if (item.kind === "concept") {
    await tx.delete(conceptLabels).where(eq(conceptLabels.conceptId, number));
    await tx.update(evidence).set({ note: null }).where(eq(evidence.conceptId, number));
    await tx.delete(relations).where(eq(relations.sourceId, number));
  } else {
    await tx.delete(episodeLabels).where(eq(episodeLabels.episodeId, number));
    await tx.update(evidence).set({ note: null }).where(eq(evidence.episodeId, number));
  }
}

/** Blanks logged rows of the item, its parts and titles derived from it. */
async function purgeNotes({ context, item, fact, texts }: Purge): Promise<void> {
  const { tx } = context;
  await clearNotes(tx, rowsCondition(item));
  if (fact !== undefined) {
    await clearNotes(tx, rowsCondition({ item: factId(fact.id), kind: "fact", key: fact.id }));
    const pairs = await tx
      .select({ id: conflicts.id })
      .from(conflicts)
      .where(or(eq(conflicts.factA, fact.id), eq(conflicts.factB, fact.id)));
    for (const { id } of pairs) {
      await clearNotes(tx, rowsCondition({ item: "", kind: "conflict", key: id }));
    }
    await clearNotes(
      tx,
      and(
        rowsCondition({ item: "", kind: "concept", key: fact.clusterId }),
        or(...[...texts].map((text) => containsPurged(text.trim().slice(0, 100)))),
      ),
    );
  }
}

export async function forgetWithPurged(tx: Tx, ids: readonly string[]): Promise<void> {
  const numbers = ids.flatMap((id) =>
    kindOfId(id) === "episode" ? [parseNumberedId(id, "episode", "ids")] : [],
  );
  await forgetUnmentionedEntities(tx, numbers);
  await forEachBatch(numbers, (slice) =>
    clearNotes(tx, and(eq(rowChanges.tableName, "evidence"), keyEndsWith(slice))),
  );
}

async function deleteMentions(tx: Tx, episode: number): Promise<void> {
  await tx.delete(episodeEntities).where(eq(episodeEntities.episodeId, episode));
}

/** SQL condition: a logged row contains this text, possibly JSON-escaped. */
function containsPurged(text: string): SQL {
  const escaped = JSON.stringify(text).slice(1, -1);
  const images = sql`(coalesce(${rowChanges.before}, '') || coalesce(${rowChanges.after}, ''))`;
  return contains(images, sql`${escaped}`);
}

async function purgeEvents({ context, ids, labels }: Purge): Promise<void> {
  const { tx } = context;
  const found = await tx
    .select({ seq: events.seq, payload: events.payload })
    .from(eventItems)
    .innerJoin(events, eq(events.seq, eventItems.seq))
    .where(inArray(eventItems.item, [...ids]));
  for (const { seq, payload } of found) {
    const { key, value } = payload ?? {};
    const named = [...labels, ...(value == null ? [] : [`${key}=${value}`])];
    await forEachBatch(named, async (slice) => {
      await tx
        .delete(eventItems)
        .where(and(inArray(eventItems.item, [...slice]), eq(eventItems.seq, seq)));
    });
    if (payload === null) continue;
    const retained = Object.entries(payload).map(([field, value]) => [
      field,
      isOwnField(field) || typeof value !== "string" ? value : null,
    ]);
    await tx
      .update(events)
      .set({ payload: Object.fromEntries(retained) })
      .where(eq(events.seq, seq));
  }
}

const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...ID_FIELDS,
  "op",
  "episode_type",
  "type",
  "severity",
  "fields",
  "undo_of",
]);

const isOwnField = (field: string): boolean => OWN_FIELDS.has(field);

/**
 * Removes the names of users and sessions from changes to purged items, unless other changes still
 * need them. The surface replaces the author, as for unknown authors.
 */
async function forgetNames(
  tx: Tx,
  ids: readonly string[],
  names: ReadonlySet<string>,
): Promise<void> {
  if (names.size === 0) return;
  const rows = await tx
    .selectDistinct({ id: events.changeId })
    .from(eventItems)
    .innerJoin(events, eq(events.seq, eventItems.seq))
    .where(inArray(eventItems.item, [...ids]));
  const own = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  if (own.length === 0) return;
  for (const name of names) {
    if (await isUsed(tx, name, own)) continue;
    const ofOwn = inArray(changes.id, own);
    await tx
      .update(changes)
      .set({ author: sql`${changes.surface}` })
      .where(and(ofOwn, eq(changes.author, name)));
    await tx
      .update(changes)
      .set({ session: null })
      .where(and(ofOwn, eq(changes.session, name)));
  }
}

async function isUsed(tx: Tx, name: string, own: readonly number[]): Promise<boolean> {
  const one = { one: sql`1` };
  const uses = [
    tx
      .select(one)
      .from(episodes)
      .where(or(eq(episodes.assertedBy, name), eq(episodes.session, name)))
      .limit(1),
    tx.select(one).from(conflicts).where(eq(conflicts.resolvedBy, name)).limit(1),
    tx
      .select(one)
      .from(changes)
      .where(
        and(
          notInArray(changes.id, [...own]),
          or(eq(changes.author, name), eq(changes.session, name)),
        ),
      )
      .limit(1),
  ];
  for (const use of uses) if ((await use).length > 0) return true;
  return false;
}
