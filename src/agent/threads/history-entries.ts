import type { ModelMessage } from "../../llm/index.ts";
import { saidText } from "../loop/said-text.ts";
import { textOf } from "../loop/tool-messages.ts";
import type { HistoryEntry } from "../ports/thread-host.ts";

/** What was said, for a screen: the last `limit` entries. */
export function historyEntries(
  messages: readonly ModelMessage[],
  limit: number,
): readonly HistoryEntry[] {
  return limit <= 0 ? [] : messages.flatMap(entriesOf).slice(-limit);
}

function entriesOf(message: ModelMessage): HistoryEntry[] {
  if (message.role === "user") return [{ role: "user", text: saidText(message) }];
  if (message.role !== "assistant") return [];
  const text = textOf(message);
  const said: HistoryEntry[] = text.trim() === "" ? [] : [{ role: "assistant", text }];
  if (typeof message.content === "string") return said;
  const tools = message.content.flatMap((part): HistoryEntry[] =>
    part.type === "tool-call" ? [{ role: "tool", text: part.toolName }] : [],
  );
  return [...said, ...tools];
}
