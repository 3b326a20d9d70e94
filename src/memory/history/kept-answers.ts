import { createHash } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { stateConflict } from "../../shared/errors.ts";
import { idempotencyKeys } from "../context/meta.table.ts";
import { changes } from "../events/change.table.ts";

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  readonly operation: string;
  /** Hash of the request without its key. */
  readonly hash: string;
}

/**
 * The first answer to the same request under the same key. Undefined if there is none or its change was
 * undone; then the key is free again. Throws conflict if the key belongs to another request.
 */
export async function findRepeated(tx: Tx, request: KeyedRequest): Promise<unknown> {
  const [row] = await tx
    .select({ kept: idempotencyKeys, undoneBy: changes.undoneBy })
    .from(idempotencyKeys)
    .leftJoin(changes, eq(changes.id, idempotencyKeys.changeId))
    .where(inArray(idempotencyKeys.key, [request.key, keyWithoutText(request.key)]));
  if (row === undefined) return undefined;
  if (row.undoneBy !== null) {
    await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.key, row.kept.key));
    return undefined;
  }
  if (row.kept.requestHash === request.hash) return JSON.parse(row.kept.response);
  throw stateConflict(
    `idempotency_key: "${request.key}" belongs to another request; use a new key for a new request`,
  );
}

export async function rememberAnswer(
  tx: Tx,
  request: KeyedRequest,
  answer: { output: unknown; now: string; change: number | null },
): Promise<void> {
  await tx.insert(idempotencyKeys).values({
    key: request.key,
    operation: request.operation,
    requestHash: request.hash,
    response: JSON.stringify(answer.output),
    createdAt: answer.now,
    changeId: answer.change,
  });
}

/** Replaces a key whose text is purged while other items of its request still exist. */
export function keyWithoutText(key: string): string {
  return `purged:${createHash("sha256").update(key).digest("hex")}`;
}
