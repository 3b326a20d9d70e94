import { parseConceptId, parseNumberedId } from "../input/item-ids.ts";

/** An item as a caller named it. */
export interface NamedItem {
  readonly id: string;
  /** The field of the input that holds the id, for errors. */
  readonly field: string;
  /** What the id must be of; default: whatever it names. */
  readonly kind?: "episode" | "concept";
}

/** Throws invalid_input for the id of another kind than is asked for. */
export function readKind({ id, field, kind }: NamedItem): void {
  if (kind === "episode") parseNumberedId(id, kind, field);
  if (kind === "concept") parseConceptId(id, field);
}
