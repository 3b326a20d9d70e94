import { stateConflict } from "../../shared/errors.ts";
import type { Connection } from "./open-connection.ts";
import type { OpenFile } from "./open-file.ts";
import { findSqliteCode } from "./sqlite-error.ts";

const CHECKED_AGAIN_MS = 2_000;

export class FoundDamage {
  /** The damaged file and the last time the damage was confirmed. */
  #found: { readonly file: OpenFile; readonly checkedAt: number } | undefined;

  note(error: unknown, file: OpenFile): void {
    if (isDamage(error)) this.#found = { file, checkedAt: Number.NEGATIVE_INFINITY };
  }

  /** `check` runs on the writing connection. Throws conflict if the damage persists. */
  async requireNone(
    current: OpenFile | undefined,
    check: (isSound: (connection: Connection) => boolean) => Promise<boolean>,
  ): Promise<void> {
    const { file, checkedAt = 0 } = this.#found ?? {};
    if (file === undefined || file !== current) return;
    // The replacement may be intact.
    if (!file.content.isUntouched) return;
    const isFresh = performance.now() - checkedAt < CHECKED_AGAIN_MS;
    if (!isFresh && (await check(isSound)) && file.readsSoundly(isSound)) {
      this.#found = undefined;
      return;
    }
    if (!isFresh) this.#found = { file, checkedAt: performance.now() };
    throw stateConflict(
      "The database file is damaged: nothing was written. Restore a backup, or rescue what is readable with `cairn export`.",
    );
  }
}

/** Returns true for damage of the file itself; a damaged search index alone can be rebuilt. */
function isDamage(error: unknown): boolean {
  const code = findSqliteCode(error);
  if (code === "SQLITE_CORRUPT_VTAB") return false;
  return code?.startsWith("SQLITE_CORRUPT") === true || code === "SQLITE_NOTADB";
}

function isSound(connection: Connection): boolean {
  try {
    return connection.pragma("quick_check(1)", { simple: true }) === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}
