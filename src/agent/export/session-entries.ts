import type { ModelMessage } from "../../llm/index.ts";
import { textOf, textOfOutput, typedText } from "../loop/history.ts";

export interface ExportedSession {
  readonly threadId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title?: string;
  readonly messages: readonly ModelMessage[];
}

export type SessionEntry =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly name: string;
      /** Arguments as JSON. */
      readonly input: string;
      readonly output: string;
      readonly isError: boolean;
    };

export function sessionEntries(messages: readonly ModelMessage[]): readonly SessionEntry[] {
  const results = new Map(messages.flatMap(resultsOf));
  return messages.flatMap((message): SessionEntry[] => {
    if (message.role === "user") return [{ kind: "user", text: typedText(message) }];
    if (message.role !== "assistant") return [];
    const text = textOf(message);
    const said: SessionEntry[] = text.trim() === "" ? [] : [{ kind: "assistant", text }];
    if (typeof message.content === "string") return said;
    const calls = message.content.flatMap((part): SessionEntry[] => {
      if (part.type !== "tool-call") return [];
      const result = results.get(part.toolCallId) ?? { output: "", isError: false };
      const input = JSON.stringify(part.input, null, 2);
      return [{ kind: "tool", name: part.toolName, input, ...result }];
    });
    return [...said, ...calls];
  });
}

type Result = readonly [string, { readonly output: string; readonly isError: boolean }];

function resultsOf(message: ModelMessage): readonly Result[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): Result[] => {
    if (part.type !== "tool-result") return [];
    const isError = part.output.type === "error-text";
    return [[part.toolCallId, { output: textOfOutput(part), isError }]];
  });
}

export function titleOf({ title, threadId }: ExportedSession): string {
  return title ?? `Session ${threadId}`;
}
