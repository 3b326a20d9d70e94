import type { ModelMessage } from "../../llm/index.ts";
import { stripControl } from "../../shared/text.ts";
import { joinText, textOfOutput, typedText } from "../loop/history.ts";

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
      readonly input: string;
      readonly output: string;
      readonly isError: boolean;
    };

export function sessionEntries(messages: readonly ModelMessage[]): readonly SessionEntry[] {
  const results = new Map(messages.flatMap(collectResults));
  return messages.flatMap((message): SessionEntry[] => {
    if (message.role === "user") return [{ kind: "user", text: typedText(message) }];
    if (message.role !== "assistant") return [];
    const text = joinText(message);
    const messages: SessionEntry[] = text.trim() === "" ? [] : [{ kind: "assistant", text }];
    if (typeof message.content === "string") return messages;
    const calls = message.content.flatMap((part): SessionEntry[] => {
      if (part.type !== "tool-call") return [];
      const result = results.get(part.toolCallId) ?? { output: "", isError: false };
      const input = JSON.stringify(part.input, null, 2);
      return [{ kind: "tool", name: part.toolName, input, ...result }];
    });
    return [...messages, ...calls];
  });
}

type Result = readonly [string, { readonly output: string; readonly isError: boolean }];

function collectResults(message: ModelMessage): readonly Result[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): Result[] => {
    if (part.type !== "tool-result") return [];
    const isError = part.output.type === "error-text";
    return [[part.toolCallId, { output: textOfOutput(part), isError }]];
  });
}

export function formatTitle({ title, threadId }: ExportedSession): string {
  return title ?? `Session ${threadId}`;
}

export function sessionAsMarkdown(session: ExportedSession): string {
  const { createdAt, updatedAt, threadId } = session;
  const head = `# ${oneLine(formatTitle(session))}\n\nSession ${threadId}, ${createdAt} to ${updatedAt}.`;
  const entries = sessionEntries(session.messages).map(entryAsMarkdown);
  return `${stripControl([head, ...entries].join("\n\n"))}\n`;
}

function entryAsMarkdown(entry: SessionEntry): string {
  if (entry.kind === "user") return `## User\n\n${entry.text}`;
  if (entry.kind === "assistant") return `## cairn\n\n${entry.text}`;
  const mark = entry.isError ? " (failed)" : "";
  const parts = [
    fenced(entry.input, "json"),
    ...(entry.output === "" ? [] : [fenced(entry.output)]),
  ];
  const summary = `<summary><code>${entry.name}</code>${mark}</summary>`;
  return `<details>${summary}\n\n${parts.join("\n\n")}\n\n</details>`;
}

function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
