import { and, gte, inArray, lt, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { toTimestamp } from "../../kernel/clock.ts";
import type { Once } from "../context/execute-options.ts";
import { idempotencyKeys } from "../context/meta.table.ts";
import type { KeyedRequest } from "./kept-answers.ts";

const PREFIX = "once:";
/** Behind every key with the prefix. */
const BEHIND = "once;";
/** Nobody asks again after so long; milliseconds. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** The name alone tells the call: what was written of it may read otherwise a moment later. */
export function onceRequest({ name }: Once, operation: string): KeyedRequest {
  return { key: `${PREFIX}${name}`, operation, hash: "" };
}

/** Takes away kept answers that have arrived, and those for which nobody came back. */
export async function forgetSettled(tx: Tx, { settled }: Once, now: string): Promise<void> {
  const { key, createdAt } = idempotencyKeys;
  const left = toTimestamp(new Date(Date.parse(now) - LEFT_AFTER_MS));
  const isLeft = and(gte(key, PREFIX), lt(key, BEHIND), lt(createdAt, left));
  const keys = settled.map((name) => `${PREFIX}${name}`);
  await tx.delete(idempotencyKeys).where(or(isLeft, inArray(key, keys)));
}
