import { bestMatches } from "../../shared/fuzzy-match.ts";
import type { Completion } from "./completion.ts";

export interface ModelQuery {
  /** The beginning of a name, or some of its signs. */
  readonly typed: string;
  readonly from: number;
}

/** The name of a model that is being typed behind `/model`. */
export function findModelQuery(text: string, cursor: number): ModelQuery | undefined {
  const match = /^\/model\s+(\S*)$/.exec(text);
  if (match === null || cursor !== text.length) return undefined;
  const typed = match[1] ?? "";
  return { typed, from: text.length - typed.length };
}

const MAX_OFFERED = 50;

/** Names that have every sign typed, in order, best first; undefined when nothing is left to offer. */
export function offerModels(
  { typed, from }: ModelQuery,
  names: readonly string[],
): Completion | undefined {
  const found = bestMatches(names, typed, MAX_OFFERED);
  if (found.length === 0 || (found.length === 1 && found[0] === typed)) return undefined;
  const items = found.map((name) => ({ insert: name, label: name, detail: "", isWhole: true }));
  return { items, selected: 0, from, to: from + typed.length };
}
