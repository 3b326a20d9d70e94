import { sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";

/** Name of the table of sign bits of a kind. It is created for vectors of one length. */
export const signsTable = (kind: IndexedKind) => sql.identifier(`vector_signs_${kind}`);

/** The signs of a vector in PostgreSQL's notation for bits. */
export function signText(vector: Float32Array): string {
  return Array.from(vector, (value) => (value > 0 ? "1" : "0")).join("");
}
