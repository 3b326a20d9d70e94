import { isDamageOfTotals, sqliteCodeOf } from "../../database/index.ts";
import { stateConflict } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { DerivedPart, IndexPart } from "../context/derived-part.ts";

/** A part of the index cannot be read or written. */
export class DerivedDamage extends Error {
  readonly part: IndexPart;

  constructor(part: IndexPart, cause: unknown) {
    super(`The ${part} of the database cannot be used.`, { cause });
    this.part = part;
  }
}

/** Runs `body`, which reads or writes this part alone. Throws DerivedDamage where that fails. */
export async function usingPart<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw isDamage(error) ? new DerivedDamage(part, error) : error;
  }
}

/** The same for work that nothing can stand in for: says what is damaged and how it is mended. */
export async function mendable<T>(part: IndexPart, body: () => Promise<T>): Promise<T> {
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
 * the commit, and totals are written along with every row, so that damage which nobody else tells of
 * may be theirs: totals can be read through to know.
 */
export async function damagedPart(
  error: unknown,
  canReadTotals: () => Promise<boolean>,
): Promise<DerivedPart | undefined> {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof DerivedDamage) return inner.part;
  }
  if (isDamageOfTotals(error)) return "totals";
  if (!sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT")) return undefined;
  return (await canReadTotals()) ? "text index" : "totals";
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
export function cannotAnswer(part: IndexPart, cause: unknown): Error {
  return Object.assign(stateConflict(sentenceOf(part)), { cause });
}

const DAMAGED: Readonly<Record<DerivedPart, string>> = {
  "text index": "The text index of the database is",
  totals: "The totals of the database are",
  vectors: "The vectors of the database are",
};

const MISSED: Readonly<Record<DerivedPart, string>> = {
  "text index": "items are not found by their words",
  totals: "items are counted one by one",
  vectors: "items are not found by their meaning",
};

function sentenceOf(part: DerivedPart): string {
  return `${DAMAGED[part]} damaged; the memory itself is not. Until \`cairn doctor --fix\` was run, ${MISSED[part]}.`;
}
