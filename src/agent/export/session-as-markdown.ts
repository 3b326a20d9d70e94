import type { ModelMessage } from "../../llm/index.ts";
import { stripControl } from "../../shared/text.ts";
import { joinText, outputText, typedText } from "../loop/history.ts";

export interface ExportedSession {
  readonly threadId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title?: string;
  readonly messages: readonly ModelMessage[];
}

interface Result {
  readonly output: string;
  readonly isError: boolean;
}

export function formatSessionAsMarkdown(session: ExportedSession): string {
  const { createdAt, updatedAt, threadId, messages } = session;
  const title = (session.title ?? `Session ${threadId}`).replace(/\s+/g, " ").trim();
  const head = `# ${title}\n\nSession ${threadId}, ${createdAt} to ${updatedAt}.`;
  const results = new Map(messages.flatMap(getResults));
  const entries = messages.flatMap((message) => asMarkdown(message, results));
  return `${stripControl([head, ...entries].join("\n\n"))}\n`;
}

function getResults(message: ModelMessage): (readonly [string, Result])[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): (readonly [string, Result])[] => {
    if (part.type !== "tool-result") return [];
    const isError = part.output.type === "error-text";
    return [[part.toolCallId, { output: outputText(part), isError }]];
  });
}

function asMarkdown(message: ModelMessage, results: ReadonlyMap<string, Result>): string[] {
  if (message.role === "user") return [`## User\n\n${typedText(message)}`];
  if (message.role !== "assistant") return [];
  const text = joinText(message);
  const section = text.trim() === "" ? [] : [`## cairn\n\n${text}`];
  if (typeof message.content === "string") return section;
  const calls = message.content.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    const { output, isError } = results.get(part.toolCallId) ?? { output: "", isError: false };
    const input = formatFenced(JSON.stringify(part.input, null, 2), "json");
    const parts = output === "" ? [input] : [input, formatFenced(output)];
    const summary = `<summary><code>${part.toolName}</code>${isError ? " (failed)" : ""}</summary>`;
    return [`<details>${summary}\n\n${parts.join("\n\n")}\n\n</details>`];
  });
  return [...section, ...calls];
}

function formatFenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
