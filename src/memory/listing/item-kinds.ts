import type { FilteredKind } from "../filters/filtered-kinds.ts";

/** Order of items with the same time. */
export const ITEM_KINDS = [
  "episode",
  "fact",
  "concept",
  "entity",
] as const satisfies readonly FilteredKind[];

export type ItemKind = (typeof ITEM_KINDS)[number];
