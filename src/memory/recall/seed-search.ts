import type { PreparedRecall } from "./prepare-recall.ts";
import type { RecallScope } from "./recall-scope.ts";

export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  readonly entities: readonly number[];
  /** The entities among them that the query names only aside. */
  readonly aside: readonly number[];
  isLate(): boolean;
}
