import { stripControl } from "../../shared/text.ts";
import {
  type ExportedSession,
  type SessionEntry,
  sessionEntries,
  titleOf,
} from "./session-entries.ts";

/** The session as a document that reads well where Markdown is shown, calls folded. */
export function sessionAsMarkdown(session: ExportedSession): string {
  const { createdAt, updatedAt, threadId } = session;
  const head = `# ${oneLine(titleOf(session))}\n\nSession ${threadId}, ${createdAt} to ${updatedAt}.`;
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

/** A fence longer than any inside. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
