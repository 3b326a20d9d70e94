import type { ModelMessage } from "ai";

/** The conversation without what models thought, for services that refuse to read that. */
export function withoutThought(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    const content = message.content.filter(({ type }) => type !== "reasoning");
    return { ...message, content: content.length === 0 ? "(no answer)" : content };
  });
}
