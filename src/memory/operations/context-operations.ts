import type { Operation } from "./define-operation.ts";
import { filePassages } from "./read/file-passages.ts";
import { items } from "./read/items.ts";
import { listConflicts } from "./read/list-conflicts.ts";
import { listSources } from "./read/list-sources.ts";
import { mistakes } from "./read/mistakes.ts";
import { recallOperation } from "./read/recall.ts";
import { recallsOperation } from "./read/recalls.ts";
import { snapshot } from "./read/snapshot.ts";

/**
 * The few operations that fill a model's context from memory. A process that lives for one answer
 * takes these instead of the registry, since to load all the others costs more than to ask.
 */
export function contextOperations(): ReadonlyMap<string, Operation> {
  return new Map<string, Operation>(
    [
      ...[recallOperation, recallsOperation, snapshot, items, listConflicts],
      ...[listSources, filePassages, mistakes],
    ].map((it) => [it.name, it]),
  );
}
