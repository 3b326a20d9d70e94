import type { LabelRecord } from "./label.schema.ts";

/** What says in the nearer layer against which item of a farther one an item stands: `team/ep:5`. */
export const CONTRADICTS = "contradicts";

export function contradictsLabels(ids: readonly string[]): LabelRecord[] {
  return ids.map((value) => ({ key: CONTRADICTS, value }));
}

/** The layer and the id there; undefined where somebody has written something else. */
export function readContradicts(value: string): { layer: string; id: string } | undefined {
  const [, layer, id] = /^([^/]+)\/(ep:[1-9]\d{0,15})$/.exec(value) ?? [];
  return layer === undefined || id === undefined ? undefined : { layer, id };
}
