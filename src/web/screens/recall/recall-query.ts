import type { InputOf } from "../../../memory/index.ts";
import { shellWord } from "../../../shared/text.ts";
import { FILTERS } from "../../data/filters.ts";
import { filtersIn } from "../../data/page-filter.ts";

export type RecallInput = InputOf<"recall">;

const CHARS_OF_AGENTS = 6_000;

export function toRecall(query: Readonly<Record<string, string>>): RecallInput {
  return {
    ...filtersIn(RECALL_FILTERS, query),
    ...(query.q ? { query: query.q } : {}),
    ...(query.entity ? { entity: query.entity } : {}),
    ...(query.context ? { context: query.context } : {}),
    ...(query.as_of ? { as_of: query.as_of } : {}),
    ...(query.known_at ? { known_at: query.known_at } : {}),
    k: getCount(query.k, 3),
    episode_k: getCount(query.episodes, 5),
    passage_k: getCount(query.passages, 4),
  };
}

/** Filters of the address that have no field in the form. */
const RECALL_FILTERS = FILTERS.filter(({ name, inRecall }) => inRecall && name !== "entity");

export function getChars(query: Readonly<Record<string, string>>): number {
  return getCount(query.chars, CHARS_OF_AGENTS) || CHARS_OF_AGENTS;
}

function getCount(text: string | undefined, fallback: number): number {
  const count = Number(text ?? "");
  return text !== undefined && text !== "" && Number.isInteger(count) && count >= 0
    ? count
    : fallback;
}

/** Returns the command that runs the same recall. */
export function asCommand(input: RecallInput, chars: number, db: string): string {
  const flags = Object.entries({ ...input, max_chars: chars, db })
    .filter(([name]) => name !== "query")
    .map(([name, value]) => `--${name.replaceAll("_", "-")} ${shellWord(String(value))}`);
  return ["cairn recall", ...(input.query ? [shellWord(input.query)] : []), ...flags].join(" ");
}
