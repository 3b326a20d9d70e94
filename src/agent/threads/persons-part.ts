import type { ModelMessage } from "../../llm/index.ts";
import { saidText } from "../loop/said-text.ts";

/** What begins with this was put together by the program, and may hold words of others. */
const NOT_TYPED = /^\[cairn\]|<handover[ >]/;
/** Tools by which nothing comes in that the person, or the memory, did not say. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  "todo",
  "ask_user",
  "remember",
  "recall",
  "memory_apply",
  "memory_snapshot",
]);

/** All that the person has typed in a conversation. */
export function personsWords(messages: readonly ModelMessage[]): string {
  const typed = messages.flatMap((message) => {
    const text = message.role === "user" ? saidText(message) : "";
    return NOT_TYPED.test(text) ? [] : [text];
  });
  return typed.join("\n");
}

/** Whether anything was read in it, by whichever tool: files, commands, pages, servers. */
export function hasToolAnswers(messages: readonly ModelMessage[]): boolean {
  return messages.some((message) => {
    if (message.role === "user") return NOT_TYPED.test(saidText(message));
    if (message.role !== "tool") return false;
    return message.content.some(
      (part) => part.type === "tool-result" && !OWN_TOOLS.has(part.toolName),
    );
  });
}
