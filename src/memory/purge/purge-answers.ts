import { eq, inArray, or, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { isPlainObject } from "../../shared/json.ts";
import { idempotencyKeys, purgedItems } from "../context/meta.table.ts";
import { events } from "../events/event.table.ts";
import { hashKey } from "../history/idempotent-requests.ts";
import { PURGED_TEXT } from "./text-columns.ts";

/**
 * Purges stored responses to requests with an idempotency key. If everything the request created is
 * purged, the response is deleted and its key is free again. Otherwise only the texts are removed:
 * the ids remain and the key stays in use.
 */
export async function purgeStoredResults(
  tx: Tx,
  ids: readonly string[],
  texts: ReadonlySet<string>,
): Promise<void> {
  const named = ids.map((id) => contains(sql`${idempotencyKeys.response}`, sql`${`"${id}"`}`));
  const rows = await tx
    .select()
    .from(idempotencyKeys)
    .where(or(...named));
  for (const { key, response, changeId } of rows) {
    const condition = eq(idempotencyKeys.key, key);
    const answer: unknown = JSON.parse(response);
    if (await isAllPurged(tx, answer, changeId)) {
      await tx.delete(idempotencyKeys).where(condition);
      continue;
    }
    const isHidden = key.startsWith("purged:");
    await tx
      .update(idempotencyKeys)
      .set({
        response: JSON.stringify(removeTexts(answer, texts)),
        key: isHidden ? key : hashKey(key),
      })
      .where(condition);
  }
}

async function isAllPurged(tx: Tx, answer: unknown, change: number | null): Promise<boolean> {
  const created = change === null ? createdBy(answer) : await createdInChange(tx, change);
  if (created.length === 0) return false;
  const purged = await loadInBatches(created, (slice) =>
    tx.select({ item: purgedItems.item }).from(purgedItems).where(inArray(purgedItems.item, slice)),
  );
  return purged.length === created.length;
}

async function createdInChange(tx: Tx, change: number): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: events.subjectId, kind: events.kind })
    .from(events)
    .where(eq(events.changeId, change));
  const created = rows.filter(({ kind }) => kind === "remembered" || kind === "concept_created");
  return [...new Set(created.map(({ id }) => id))];
}

function createdBy(answer: unknown): string[] {
  const id = isPlainObject(answer) ? answer.id : undefined;
  return typeof id === "string" ? [id] : [];
}

function removeTexts(value: unknown, texts: ReadonlySet<string>): unknown {
  if (typeof value === "string") return texts.has(value) ? PURGED_TEXT : value;
  if (Array.isArray(value)) return value.map((inner) => removeTexts(inner, texts));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, removeTexts(inner, texts)]),
  );
}
