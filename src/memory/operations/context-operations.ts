import type { Operation } from "./define-operation.ts";
import { filePassages } from "./read/file-passages.ts";
import { items } from "./read/items.ts";
import { listConflicts } from "./read/list-conflicts.ts";
import { listSources } from "./read/list-sources.ts";
import { mistakes } from "./read/mistakes.ts";
import { recallOperation } from "./read/recall.ts";
import { recallsOperation } from "./read/recalls.ts";
import { snapshot } from "./read/snapshot.ts";

/** Operations for a model's context, loaded without the registry to start hooks faster. */
export function contextOperations(): ReadonlyMap<string, Operation> {
  return new Map<string, Operation>(
    [
      ...[recallOperation, recallsOperation, snapshot, items, listConflicts],
      ...[listSources, filePassages, mistakes],
    ].map((it) => [it.name, it]),
  );
}
