import { stateConflict } from "../../shared/errors.ts";
import type { Connection } from "./open-connection.ts";
import type { OpenFile } from "./open-file.ts";
import { sqliteCodeOf } from "./sqlite-error.ts";

const CHECKED_AGAIN_MS = 2_000;

export class FoundDamage {
  /** A file in which a read found damage, and when the damage was last confirmed. */
  #found: { readonly file: OpenFile; readonly checkedAt: number } | undefined;

  note(error: unknown, file: OpenFile): void {
    if (isDamage(error)) this.#found = { file, checkedAt: Number.NEGATIVE_INFINITY };
  }

  /** `check` runs on the connection that writes. Throws conflict where the damage stands. */
  async requireNone(
    current: OpenFile | undefined,
    check: (isSound: (connection: Connection) => boolean) => Promise<boolean>,
  ): Promise<void> {
    const { file, checkedAt = 0 } = this.#found ?? {};
    if (file === undefined || file !== current) return;
    // The file that replaced it may be whole.
    if (!file.content.isUntouched) return;
    const isFresh = performance.now() - checkedAt < CHECKED_AGAIN_MS;
    if (!isFresh && (await check(isSound)) && file.readsSoundly(isSound)) {
      this.#found = undefined;
      return;
    }
    if (!isFresh) this.#found = { file, checkedAt: performance.now() };
    throw stateConflict(
      "A read found the database file damaged: nothing was written. Restore a backup, or rescue what is readable with `cairn export`.",
    );
  }
}

/**
 * True if the file itself is damaged. The search index can be damaged alone and is then rebuilt.
 */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
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
