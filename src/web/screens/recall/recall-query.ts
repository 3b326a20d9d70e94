import type { InputOf } from "../../../memory/index.ts";
import { shellWord } from "../../../shared/text.ts";
import { FILTERS } from "../../data/filters.ts";
import { narrowingIn } from "../../data/page-filter.ts";

export type RecallInput = InputOf<"recall">;

const CHARS_OF_AGENTS = 6_000;

export function toRecall(query: Readonly<Record<string, string>>): RecallInput {
  return {
    ...narrowingIn(NARROWING, query),
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

/** Filters of recall that have no field of their own in the form. */
export const NARROWING = FILTERS.filter(({ name, inRecall }) => inRecall && name !== "entity");

export function getChars(query: Readonly<Record<string, string>>): number {
  return getCount(query.chars, CHARS_OF_AGENTS) || CHARS_OF_AGENTS;
}

function getCount(text: string | undefined, fallback: number): number {
  const count = Number(text ?? "");
  return text !== undefined && text !== "" && Number.isInteger(count) && count >= 0
    ? count
    : fallback;
}

export interface Spelling {
  readonly title: string;
  readonly text: string;
}

export function spellings(input: RecallInput, chars: number, db: string): Spelling[] {
  const request = { ...input, max_chars: chars };
  const flags = Object.entries({ ...request, db })
    .filter(([name]) => name !== "query")
    .map(([name, value]) => `--${name.replaceAll("_", "-")} ${shellWord(String(value))}`);
  const question = input.query === undefined ? [] : [shellWord(input.query)];
  const url = `${location.origin}/api/v1/query?db=${encodeURIComponent(db)}`;
  const body = JSON.stringify(request);
  const call = { method: "tools/call", params: { name: "recall", arguments: request } };
  return [
    { title: "command", text: ["cairn recall", ...question, ...flags].join(" ") },
    {
      title: "curl command",
      text: `curl -s '${url}' -H 'content-type: application/json' -d ${shellWord(body)}`,
    },
    { title: "MCP call", text: JSON.stringify(call) },
  ];
}
