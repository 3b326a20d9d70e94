import type { PreparedRecall } from "./prepare-recall.ts";
import type { RecallScope } from "./recall-scope.ts";

/** What the search for seeds needs. */
export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  /** Numbers of the entities that are asked for. */
  readonly entities: readonly number[];
  /** The entities among them that the query names only aside. */
  readonly aside: readonly number[];
  isLate(): boolean;
}
