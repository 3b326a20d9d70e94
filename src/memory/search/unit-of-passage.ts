import { sql } from "drizzle-orm";

/** Segments that a source can have, far more than any has. */
const SEGMENTS = 2 ** 24;

/**
 * The unit that a row of `passages` belongs to: a segment of its source. What was said in one go is
 * one, and each commit or section is one of its own.
 */
export const UNIT_OF_PASSAGE = sql.raw(`(passages.source_id * ${SEGMENTS} + passages.segment)`);

export function unitPlace(unit: number): { readonly source: number; readonly segment: number } {
  return { source: Math.floor(unit / SEGMENTS), segment: unit % SEGMENTS };
}
