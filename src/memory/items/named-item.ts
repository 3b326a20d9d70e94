import { parseConceptId, parseNumberedId } from "../input/item-ids.ts";

export interface NamedItem {
  readonly id: string;
  readonly field: string;
  readonly kind?: "episode" | "concept";
}

/** Throws invalid_input if the id is of another kind than requested. */
export function readKind({ id, field, kind }: NamedItem): void {
  if (kind === "episode") parseNumberedId(id, kind, field);
  if (kind === "concept") parseConceptId(id, field);
}
