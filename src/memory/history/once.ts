import { and, gte, inArray, lt, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import type { Once } from "../context/execute-options.ts";
import { idempotencyKeys } from "../context/meta.table.ts";
import type { KeyedRequest } from "./kept-answers.ts";

const PREFIX = "once:";
/** Follows the prefix in every such key. */
const BEHIND = "once;";
/** A caller never asks again after so many milliseconds. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** Only the name identifies the call, because the text of its input may differ a moment later. */
export function onceRequest({ name }: Once, operation: string): KeyedRequest {
  return { key: `${PREFIX}${name}`, operation, hash: "" };
}

export async function forgetSettled(tx: Tx, { settled }: Once, now: string): Promise<void> {
  const { key, createdAt } = idempotencyKeys;
  const left = toTimestamp(new Date(Date.parse(now) - LEFT_AFTER_MS));
  const isLeft = and(gte(key, PREFIX), lt(key, BEHIND), lt(createdAt, left));
  const keys = settled.map((name) => `${PREFIX}${name}`);
  await tx.delete(idempotencyKeys).where(or(isLeft, inArray(key, keys)));
}
