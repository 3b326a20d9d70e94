import { count, sql } from "drizzle-orm";
import { preparedQuery, rowQuery } from "../../database/index.ts";
import { EMBEDDER_PIN, type EmbedderPin } from "./embedder-pin.ts";
import { pendingVectors } from "./search.table.ts";

/** The state of vectors as a read transaction finds it. */
export interface VectorState {
  /** Items that wait for a vector, without those that have one and would get a better one. */
  readonly pending: number;
  /** Undefined if nothing has a vector yet. */
  readonly pin: EmbedderPin | undefined;
}

export const vectorState = rowQuery<[pending: number, pin: string | null]>(
  () => sql`select (select count(*) from pending_vectors where can_wait = 0), ${EMBEDDER_PIN}`,
);

/** Number of items wait for a vector. */
export const pendingCount = preparedQuery((tx) =>
  tx
    .select({ total: count() })
    .from(pendingVectors)
    .where(sql`${pendingVectors.canWait} <= ${sql.placeholder("canWait")}`)
    .prepare(),
);
