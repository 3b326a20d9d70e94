import { sql } from "drizzle-orm";
import { findSqliteCode, type Tx } from "../../database/index.ts";
import { causesOf, stateConflict } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { IndexPart } from "../context/derived-part.ts";

export class DerivedDamage extends Error {
  readonly part: IndexPart;

  constructor(part: IndexPart, cause: unknown) {
    super(`The ${part} of the database cannot be used.`, { cause });
    this.part = part;
  }
}

/** Runs `body`, which only uses this part of the index. Throws DerivedDamage if it fails. */
export async function convertDamage<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? new DerivedDamage(part, error) : error;
  }
}

/** Like `convertDamage`, for work without a fallback: the error names the damage and its repair. */
export async function addRepairHint<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? indexUnavailableError(part, error) : error;
  }
}

/** A full disk, a lock or a time limit is not damage. */
function isDamage(error: unknown): boolean {
  const code = findSqliteCode(error);
  return code === "SQLITE_ERROR" || (code?.startsWith("SQLITE_CORRUPT") ?? false);
}

const SEARCHED_TABLES = ["episodes", "concepts", "passages"];

/**
 * Rethrows the original error if it stems from a damaged table. SQLite reports damaged pages of
 * tables and of the index by the same code, and a search reads both.
 */
export async function requireSoundTables(tx: Tx, error: unknown): Promise<void> {
  if (findSqliteCode(error) !== "SQLITE_CORRUPT") return;
  for (const table of SEARCHED_TABLES) {
    const rows = await tx.all<{ quick_check: string }>(
      sql`pragma quick_check(${sql.identifier(table)})`,
    );
    const isSound = rows.every(({ quick_check }) => quick_check === "ok");
    if (!isSound) throw error instanceof DerivedDamage ? error.cause : error;
  }
}

/**
 * Returns the part that made a write fail. The text index also writes during the commit, where
 * SQLite only reports a virtual table error.
 */
export function findDamagedPart(error: unknown): IndexPart | undefined {
  for (const inner of causesOf(error)) {
    if (inner instanceof DerivedDamage) return inner.part;
  }
  return findSqliteCode(error)?.startsWith("SQLITE_CORRUPT_VTAB") ? "text index" : undefined;
}

export class DamageWarnings {
  readonly #logger: Logger;
  readonly #texts = new Set<IndexPart>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  warn(part: IndexPart): void {
    if (this.#texts.has(part)) return;
    this.#texts.add(part);
    this.#logger.warn(describeDamage(part));
  }
}

export function indexUnavailableError(part: IndexPart, cause: unknown): Error {
  return Object.assign(stateConflict(describeDamage(part)), { cause });
}

const DAMAGE_DESCRIPTIONS: Readonly<Record<IndexPart, string>> = {
  "text index": "The text index of the database is",
  vectors: "The vectors of the database are",
};

const DAMAGE_CONSEQUENCES: Readonly<Record<IndexPart, string>> = {
  "text index": "items are not found by their words",
  vectors: "items are not found by their meaning",
};

function describeDamage(part: IndexPart): string {
  return `${DAMAGE_DESCRIPTIONS[part]} damaged; the memory itself is not. Until \`cairn doctor --fix\` was run, ${DAMAGE_CONSEQUENCES[part]}.`;
}
