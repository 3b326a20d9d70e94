import type { PreparedRecall } from "./prepare-recall.ts";
import type { RecallScope } from "./recall-scope.ts";

/** What seeds are looked for with. */
export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  /** Numbers of the entities that are asked for. */
  readonly entities: readonly number[];
  /** Those of them that the query names aside. */
  readonly aside: readonly number[];
  isLate(): boolean;
}
