import { sqliteCodeOf } from "../../database/index.ts";
import { stateConflict } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { DerivedPart } from "../context/derived-part.ts";

/** A part of the derived data cannot be read or written. */
export class DerivedDamage extends Error {
  readonly part: DerivedPart;

  constructor(part: DerivedPart, cause: unknown) {
    super(`The ${part} of the database cannot be used.`, { cause });
    this.part = part;
  }
}

/** Runs `body`, which reads or writes this part alone. Throws DerivedDamage where that fails. */
export async function usingPart<T>(part: DerivedPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? new DerivedDamage(part, error) : error;
  }
}

/** The same for work that nothing can stand in for: says what is damaged and how it is mended. */
export async function mendable<T>(part: DerivedPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? cannotAnswer(part, error) : error;
  }
}

/** A full disk, a lock or a time that is up is no damage. */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === "SQLITE_ERROR" || (code?.startsWith("SQLITE_CORRUPT") ?? false);
}

/**
 * The part because of which a transaction failed. The text index writes the last of its words with
 * the commit, so that damage which nobody else tells of may be its own.
 */
export function damagedPart(error: unknown): DerivedPart | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof DerivedDamage) return inner.part;
  }
  return sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT") ? "text index" : undefined;
}

/** Says once of each part that it is damaged, and how it is mended. */
export class DamageWarnings {
  readonly #logger: Logger;
  readonly #told = new Set<DerivedPart>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  tell(part: DerivedPart): void {
    if (this.#told.has(part)) return;
    this.#told.add(part);
    this.#logger.warn(sentenceOf(part));
  }
}

/** For a caller whom nothing but this part could have answered. */
export function cannotAnswer(part: DerivedPart, cause: unknown): Error {
  return Object.assign(stateConflict(sentenceOf(part)), { cause });
}

function sentenceOf(part: DerivedPart): string {
  const missed = part === "text index" ? "by their words" : "by their meaning";
  return `The ${part} of the database is damaged; the memory itself is not. Until \`cairn doctor --fix\` makes it anew, items are not found ${missed}.`;
}
