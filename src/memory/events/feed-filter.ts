import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

export interface FeedFilter {
  readonly passes: SQL;
  /**
   * Returns the numbers of changes or events that include all matches, if there are at most `most`,
   * else undefined. The cost is proportional to the rows found, not to the feed's length.
   */
  findIfFew(tx: Tx, limit: number): Promise<readonly number[] | undefined>;
}
