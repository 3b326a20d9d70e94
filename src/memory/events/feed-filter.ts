import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

export interface FeedFilter {
  readonly passes: SQL;
  /**
   * Numbers of changes or events among which are all that pass, if these are at most `most`. It reads
   * about as many rows as it finds, however long the feed is; undefined: there are more.
   */
  few(tx: Tx, most: number): Promise<readonly number[] | undefined>;
}
