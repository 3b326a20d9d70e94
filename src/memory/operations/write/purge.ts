import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { EventLoopYielder, loadInBatches } from "../../../shared/async.ts";
import { invalidInput, notFound } from "../../../shared/errors.ts";
import { purgedItems } from "../../context/meta.table.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { rowChanges } from "../../events/change.table.ts";
import { getIds, nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { changeId, kindOfId, passageId } from "../../input/item-ids.ts";
import { findDerived, findMatching, forgetNamedEntity } from "../../purge/purge-filter.ts";
import { forgetWithPurged, purgeItem } from "../../purge/purge-item.ts";
import { purgeProposal, purgeProposalsOnPassages } from "../../purge/purge-proposals.ts";
import { PURGED_TEXT } from "../../purge/text-columns.ts";
import { forgetRecalled } from "../../recall-log/forget-recalls.ts";
import { findPassage, findSource, purgedKey } from "../../sources/source.queries.ts";
import { passages, sources } from "../../sources/source.table.ts";
import { defineOperation } from "../define-operation.ts";

export const purge = defineOperation({
  name: "purge",
  summary: "Remove the text of items for good; this cannot be undone",
  description:
    "Select by `ids`, or by `by`, `entity` and `label`, all of which must match. Removes rows, indexes, vectors, " +
    "derived titles, logged rows, stored results and free pages of the file; a tombstone keeps ids valid. " +
    "`derived` lists concepts and sources made of the purged items, `kept_elsewhere` where the text may remain: " +
    "deleted databases, copies, backups, and logs of a PostgreSQL server.",
  kind: "write",
  input: z.strictObject({
    ids: getIds("item").optional().describe("Ids of episodes, facts and concepts."),
    by: nameField
      .optional()
      .describe("Author of the items: their episodes, passages and proposals."),
    entity: nameField.optional().describe("Entity that the items mention, e.g. person:Ada."),
    label: nameField.optional().describe("Label of the items: key or key=value."),
    dry_run: z.boolean().default(false).describe("List what would be purged, purge nothing."),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({
    id: z.string().optional().describe("The change; absent on a dry run or if nothing matches."),
    purged: z.array(z.string()),
    derived: z
      .array(z.object({ id: z.string(), title: z.string() }))
      .optional()
      .describe("Concepts and sources derived from the purged items; purge them by id if needed."),
    kept_elsewhere: z
      .array(z.string())
      .optional()
      .describe("Locations that may still contain the text, one sentence each."),
  }),
  erases: true,
  onlyTakesAway: true,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/purge" },
  cli: { command: false },
  async writes(_tx, { ids = [] }) {
    return ids;
  },
  async run(context, { ids: values, by, entity, label, dry_run: isDry }) {
    const { tx } = context;
    const isFiltered = by !== undefined || entity !== undefined || label !== undefined;
    if (isFiltered === (values !== undefined)) {
      throw invalidInput("ids: give either ids, or a filter: by, entity, label");
    }
    const ids =
      values ??
      (await findMatching(tx, {
        by,
        entity,
        ...(label !== undefined && { label: parseLabel(label) }),
      }));
    const derived = await findDerived(tx, ids);
    const purged = new Set<string>();
    const yielder = new EventLoopYielder();
    for (const id of ids) {
      if (purged.has(id)) continue;
      const purgeOne = purgeById(kindOfId(id));
      for (const one of await purgeOne(context, id)) purged.add(one);
      await yielder.yieldIfDue();
    }
    await forgetWithPurged(tx, [...purged]);
    await forgetRecalled(tx, [...purged]);
    if (entity !== undefined && by === undefined && label === undefined) {
      await forgetNamedEntity(tx, entity);
    }
    if (isDry) context.rollBackAfterwards();
    if (purged.size === 0) context.hasErasedNothing();
    const retained = await context.findOtherCopies();
    return {
      ...(!isDry && purged.size > 0 && { id: changeId(await context.change) }),
      purged: [...purged],
      ...(derived.length > 0 && { derived: derived.filter(({ id }) => !purged.has(id)) }),
      ...(retained.length > 0 && { kept_elsewhere: retained }),
    };
  },
});

function parseLabel(text: string) {
  const at = text.indexOf("=");
  return at === -1 ? { key: text } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

function purgeById(kind: ReturnType<typeof kindOfId>) {
  if (kind === "source" || kind === "passage") return purgeSource;
  return kind === "proposal" ? purgeProposal : purgeItem;
}

async function purgeSource(context: WriteContext, id: string): Promise<readonly string[]> {
  const { tx, now } = context;
  const isPassage = kindOfId(id) === "passage";
  const numbers = isPassage
    ? [(await findPassage(tx, id, "ids")).id]
    : await replaceSourceWithTombstone(context, id);
  await removePassages(context, numbers);
  await context.emit({
    kind: "deleted",
    subjectType: isPassage ? "passage" : "source",
    subjectId: id,
    payload: { op: "purge", passages: numbers.length },
  });
  const ids = isPassage ? [id] : [id, ...numbers.map(passageId)];
  await loadInBatches(ids, async (slice) => {
    await tx
      .insert(purgedItems)
      .values(slice.map((item) => ({ item, ts: now })))
      .onConflictDoNothing();
    return [];
  });
  return ids;
}

async function replaceSourceWithTombstone(
  { tx, now }: WriteContext,
  id: string,
): Promise<readonly number[]> {
  const source = await findSource(tx, id, "ids");
  if (source.title === PURGED_TEXT) throw notFound(`ids: there is nothing left of ${id} to purge`);
  const rows = await tx
    .select({ id: passages.id })
    .from(passages)
    .where(eq(passages.sourceId, source.id));
  await tx
    .update(sources)
    .set({
      key: purgedKey(source),
      title: PURGED_TEXT,
      place: null,
      mark: null,
      deletedAt: source.deletedAt ?? now,
    })
    .where(eq(sources.id, source.id));
  await clearNotes(tx, "sources", [source.id]);
  return rows.map((row) => row.id);
}

async function removePassages(context: WriteContext, numbers: readonly number[]): Promise<void> {
  const { tx, touch } = context;
  await purgeProposalsOnPassages(context, numbers);
  await loadInBatches([...numbers], async (slice) => {
    await tx.delete(passages).where(inArray(passages.id, slice));
    return [];
  });
  for (const number of numbers) touch("passage", number);
  await clearNotes(tx, "passages", numbers);
}

async function clearNotes(
  tx: WriteContext["tx"],
  table: "sources" | "passages",
  numbers: readonly number[],
): Promise<void> {
  const keys = numbers.map((number) => JSON.stringify([number]));
  await loadInBatches(keys, async (slice) => {
    await tx
      .update(rowChanges)
      .set({ before: null, after: null, purged: true })
      .where(and(eq(rowChanges.tableName, table), inArray(rowChanges.rowKey, slice)));
    return [];
  });
}
