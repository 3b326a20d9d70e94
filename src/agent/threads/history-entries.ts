import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { shortenLine, truncateText } from "../../shared/text.ts";
import { saidText } from "../loop/said-text.ts";
import { type ToolOutcome, textOf, textOfOutput } from "../loop/tool-messages.ts";
import type { HistoryEntry } from "../ports/thread-host.ts";

const FAILURE_LENGTH = 400;
/** Of an argument: a file that was written is no part of what was said. */
const ARGUMENT_LENGTH = 1_000;

/** What was said and called, for a screen: the last `limit` entries. */
export function historyEntries(
  messages: readonly ModelMessage[],
  limit: number,
): readonly HistoryEntry[] {
  if (limit <= 0) return [];
  const outcomes = new Map(messages.flatMap(outcomesOf));
  return messages.flatMap((message) => entriesOf(message, outcomes)).slice(-limit);
}

function entriesOf(
  message: ModelMessage,
  outcomes: ReadonlyMap<string, ToolOutcome>,
): HistoryEntry[] {
  if (message.role === "user") return [{ role: "user", text: saidText(message) }];
  if (message.role !== "assistant") return [];
  const text = textOf(message);
  const said: HistoryEntry[] = text.trim() === "" ? [] : [{ role: "assistant", text }];
  if (typeof message.content === "string") return said;
  const tools = message.content.flatMap((part): HistoryEntry[] => {
    if (part.type !== "tool-call") return [];
    const failure = failureOf(outcomes.get(part.toolCallId));
    const call = { role: "tool" as const, text: part.toolName, args: shortArgs(part.input) };
    return [failure === undefined ? call : { ...call, failure }];
  });
  return [...said, ...tools];
}

function outcomesOf(message: ModelMessage): readonly (readonly [string, ToolOutcome])[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" ? [[part.toolCallId, part] as const] : [],
  );
}

/** A call without an answer was cut off: nobody knows that it worked. */
function failureOf(outcome: ToolOutcome | undefined): string | undefined {
  if (outcome === undefined) return "It was cut off.";
  if (outcome.output.type !== "error-text") return undefined;
  return shortenLine(textOfOutput(outcome), FAILURE_LENGTH);
}

function shortArgs(args: unknown): unknown {
  if (!isPlainObject(args)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([field, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      return [field, text.length <= ARGUMENT_LENGTH ? value : truncateText(text, ARGUMENT_LENGTH)];
    }),
  );
}
