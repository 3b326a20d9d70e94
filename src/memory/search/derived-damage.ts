import { sqliteCodeOf } from "../../database/index.ts";
import { stateConflict } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { IndexPart } from "../context/derived-part.ts";

/** A part of the search index cannot be read or written. */
export class DerivedDamage extends Error {
  readonly part: IndexPart;

  constructor(part: IndexPart, cause: unknown) {
    super(`The ${part} of the database cannot be used.`, { cause });
    this.part = part;
  }
}

/** Runs `body`, which reads or writes only this part of the index. Throws DerivedDamage if that fails. */
export async function usingPart<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? new DerivedDamage(part, error) : error;
  }
}

/** Like `usingPart`, for work that has no substitute: the error says what is damaged and how to mend it. */
export async function mendable<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? cannotAnswer(part, error) : error;
  }
}

/** A full disk, a lock or an expired time limit is no damage. */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === "SQLITE_ERROR" || (code?.startsWith("SQLITE_CORRUPT") ?? false);
}

/**
 * The part that made a write fail. The text index also writes during the commit, where its damage has no other sign
 * than SQLite's code for a virtual table.
 */
export function damagedPart(error: unknown): IndexPart | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof DerivedDamage) return inner.part;
  }
  return sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT_VTAB") ? "text index" : undefined;
}

export class DamageWarnings {
  readonly #logger: Logger;
  readonly #told = new Set<IndexPart>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  tell(part: IndexPart): void {
    if (this.#told.has(part)) return;
    this.#told.add(part);
    this.#logger.warn(sentenceOf(part));
  }
}

/** The error for a request that only this part could have answered. */
export function cannotAnswer(part: IndexPart, cause: unknown): Error {
  return Object.assign(stateConflict(sentenceOf(part)), { cause });
}

const DAMAGED: Readonly<Record<IndexPart, string>> = {
  "text index": "The text index of the database is",
  vectors: "The vectors of the database are",
};

const MISSED: Readonly<Record<IndexPart, string>> = {
  "text index": "items are not found by their words",
  vectors: "items are not found by their meaning",
};

function sentenceOf(part: IndexPart): string {
  return `${DAMAGED[part]} damaged; the memory itself is not. Until \`cairn doctor --fix\` was run, ${MISSED[part]}.`;
}
