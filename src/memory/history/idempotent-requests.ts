import { createHash } from "node:crypto";
import { and, eq, gte, inArray, lt, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { stateConflict } from "../../shared/errors.ts";
import type { Once } from "../context/execute-options.ts";
import { idempotencyKeys } from "../context/meta.table.ts";
import { changes } from "../events/change.table.ts";

export interface KeyedRequest {
  readonly key: string;
  readonly operation: string;
  readonly hash: string;
}

/**
 * Returns the stored response to the same request under the same key. Returns undefined if there is
 * none or its change was undone; then the key is free again. Throws conflict if the key belongs to
 * another request.
 */
export async function findRepeatedRequest(tx: Tx, request: KeyedRequest): Promise<unknown> {
  const [row] = await tx
    .select({ kept: idempotencyKeys, undoneBy: changes.undoneBy })
    .from(idempotencyKeys)
    .leftJoin(changes, eq(changes.id, idempotencyKeys.changeId))
    .where(inArray(idempotencyKeys.key, [request.key, hashKey(request.key)]));
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

export async function storeResult(
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
export function hashKey(key: string): string {
  return `purged:${createHash("sha256").update(key).digest("hex")}`;
}

const KEY_PREFIX = "once:";
/** Follows the prefix in every key. */
const KEY_SEPARATOR = "once;";
/** Time after which a caller no longer retries. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Only the name identifies the call, because its input may differ between attempts. */
export function runKeyedRequest({ name }: Once, operation: string): KeyedRequest {
  return { key: `${KEY_PREFIX}${name}`, operation, hash: "" };
}

export async function forgetResults(tx: Tx, { settled }: Once, now: string): Promise<void> {
  const { key, createdAt } = idempotencyKeys;
  const left = toTimestamp(new Date(Date.parse(now) - KEY_LIFETIME_MS));
  const isLeft = and(gte(key, KEY_PREFIX), lt(key, KEY_SEPARATOR), lt(createdAt, left));
  const keys = settled.map((name) => `${KEY_PREFIX}${name}`);
  await tx.delete(idempotencyKeys).where(or(isLeft, inArray(key, keys)));
}
