import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import type { JsonObject } from "../../shared/json.ts";
import { idempotencyKeys } from "../context/meta.table.ts";
import { changes } from "../events/change.table.ts";
import { type EventKind, events } from "../events/event.table.ts";
import { keyWithoutText } from "../history/kept-answers.ts";
import type { LabelNote } from "../history/undo/effect-events.ts";
import { changeId } from "../input/item-ids.ts";
import { PROMOTED } from "./promoted-item.ts";

/** Field of the payload of a `labeled` or `unlabeled` event that says what its change wrote in a farther layer. */
const ELSEWHERE = "elsewhere";

/** Changes of a farther layer that belong to a change of this memory. */
const writtenElsewhere = z.object({
  /** Of the copy: `team/ep:5`. */
  id: z.string(),
  changes: z.array(
    z.object({
      /** In the layer: `change:7`. */
      id: z.string(),
      /** Its time. A database that was put back to an earlier moment gives its number to another change. */
      ts: z.string(),
    }),
  ),
});

export type WrittenElsewhere = z.output<typeof writtenElsewhere>;

/** The same with the item of this memory that the copy was made of. */
export interface CopyWritten extends WrittenElsewhere {
  readonly item: string;
  readonly layer: string;
}

/** The same, and where it was noted. */
export interface NotedElsewhere extends CopyWritten {
  /** Number of the change of this memory. */
  readonly by: number;
}

/** As `loadWrittenElsewhere` reads it from the payload of an event. */
export function notedElsewhere({ id, changes: written }: WrittenElsewhere): JsonObject {
  return { [ELSEWHERE]: { id, changes: written.map((one) => ({ ...one })) } };
}

const NOTING: EventKind[] = ["labeled", "unlabeled", "updated"];

/** What these changes wrote in farther layers, in the order in which it was noted. */
export async function loadWrittenElsewhere(
  tx: Tx,
  numbers: readonly number[],
): Promise<NotedElsewhere[]> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx
      .select({
        seq: events.seq,
        by: events.changeId,
        item: events.subjectId,
        payload: events.payload,
      })
      .from(events)
      .where(and(inArray(events.changeId, slice), inArray(events.kind, NOTING))),
  );
  return rows
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ by, item, payload }) => {
      if (by === null || payload?.key !== PROMOTED) return [];
      const { success, data } = writtenElsewhere.safeParse(payload[ELSEWHERE]);
      const layer = payload.value;
      return success && typeof layer === "string" ? [{ ...data, by, item, layer }] : [];
    });
}

/**
 * What copying an item under this key wrote in the layer of `tx` and is in force there: the copy, and the conflicts
 * that were opened with it.
 */
export async function changesThatCopied(
  tx: Tx,
  { key, conflicts }: { readonly key: string; readonly conflicts: readonly string[] },
): Promise<WrittenElsewhere["changes"]> {
  const copied = await tx
    .select({ number: idempotencyKeys.changeId })
    .from(idempotencyKeys)
    .where(inArray(idempotencyKeys.key, [key, keyWithoutText(key)]));
  const opened = await loadInBatches(conflicts, (slice) =>
    tx
      .select({ number: events.changeId })
      .from(events)
      .where(and(eq(events.kind, "conflict_opened"), inArray(events.subjectId, slice))),
  );
  const numbers = [...copied, ...opened].flatMap(({ number }) => number ?? []);
  return (await stateOfChanges(tx, numbers))
    .filter(({ undoneBy }) => undoneBy === null)
    .map(({ id, ts }) => ({ id: changeId(id), ts }));
}

/** As an undo notes it: beside the label that says that the item went there. */
export function noteOf(written: CopyWritten): LabelNote {
  const label = { key: PROMOTED, value: written.layer };
  return { subjectId: written.item, label, payload: notedElsewhere(written) };
}

export async function stateOfChanges(tx: Tx, numbers: readonly number[]) {
  const rows = await loadInBatches([...new Set(numbers)], (slice) =>
    tx.select().from(changes).where(inArray(changes.id, slice)),
  );
  return rows.sort((a, b) => a.id - b.id);
}
