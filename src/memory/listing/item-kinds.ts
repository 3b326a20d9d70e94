import type { FilteredKind } from "../filters/filtered-kinds.ts";

/** In the order in which items of the same moment stand. */
export const ITEM_KINDS = [
  "episode",
  "fact",
  "concept",
  "entity",
] as const satisfies readonly FilteredKind[];

export type ItemKind = (typeof ITEM_KINDS)[number];
