import type { Database } from "../../database/index.ts";
import type { Logger } from "../../shared/logger.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import { findExpired } from "./find-expired.ts";
import type { Retention } from "./retention.ts";

/** Items that one write purges beside what it was asked for. */
const EXPIRED_AT_ONCE = 200;

export interface ExpiredPurge {
  readonly memory: {
    isThere(): Promise<boolean>;
    execute(
      name: "purge",
      input: { readonly ids: string[] },
      options: ExecuteOptions,
    ): Promise<unknown>;
  };
  readonly database: Database;
  readonly retention: Retention;
  readonly logger: Logger;
}

/**
 * Purges what was deleted long ago, after a write, which stands whatever becomes of this. `options` are those of
 * the write.
 */
export async function purgeExpired(
  { memory, database, retention, logger }: ExpiredPurge,
  options: ExecuteOptions,
): Promise<void> {
  const due = retention.takeDue();
  if (due === undefined || !(await memory.isThere())) return;
  try {
    const ids = await database.read((tx) => findExpired(tx, due, EXPIRED_AT_ONCE));
    if (ids.length === 0) return;
    // Whoever wrote gave the occasion, not the order.
    const { caller: _writer, signal: _waiting, ...others } = options;
    await memory.execute("purge", { ids }, { ...others, author: "retention" });
    if (ids.length === EXPIRED_AT_ONCE) retention.lookAgain();
  } catch (error) {
    logger.warn(`What was deleted long ago is not purged yet: ${String(error)}`);
  }
}
