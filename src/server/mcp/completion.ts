import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/sdk/types.js";
import type { Memory } from "../../memory/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { mcpPrompts } from "./prompts/registry.ts";
import { suggestionsFor } from "./resources.ts";

/** The protocol's bound on values in one answer. */
const MAX_ITEMS = 100;

/** Known values that begin with what was typed, of an argument of a resource template or a prompt. */
export async function complete(
  memory: Memory,
  caller: Caller,
  { ref, argument }: CompleteRequest["params"],
): Promise<CompleteResult> {
  const kinds =
    ref.type === "ref/resource"
      ? suggestionsFor(memory.operations, { uri: ref.uri, name: argument.name })
      : mcpPrompts
          .find(({ name }) => name === ref.name)
          ?.arguments.find(({ name }) => name === argument.name)?.suggests;
  if (kinds === undefined) return { completion: { values: [], total: 0, hasMore: false } };
  const { suggestions } = await memory.execute(
    "suggest",
    {
      prefix: argument.value.slice(0, 500),
      kinds,
      limit: MAX_ITEMS + 1,
    },
    { caller },
  );
  const values = suggestions.slice(0, MAX_ITEMS).map(({ value }) => value);
  return { completion: { values, hasMore: suggestions.length > MAX_ITEMS } };
}
