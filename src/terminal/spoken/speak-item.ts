import { countChanges } from "../../shared/text.ts";
import { drawMarkdown } from "../markdown/draw-markdown.ts";
import { drawRecall } from "../memory/draw-recall.ts";
import { countReadOnlyCalls } from "../state/group-reads.ts";
import type {
  ConsentItem,
  ExploredItem,
  FinishedItem,
  FinishedTool,
  MemoriesItem,
  NoteTone,
} from "../state/screen.ts";
import { formatElapsed } from "../text/format-elapsed.ts";
import { type Line, paintLine } from "../text/style.ts";

const LINE_WIDTH = 10_000;
const MAX_OUTPUT_LINES = 5;

export function sayItem(item: FinishedItem): readonly string[] {
  switch (item.kind) {
    case "user":
      return [`You: ${item.text}`];
    case "assistant":
      return addPrefix(
        item.continues ? "" : "Answer: ",
        toPlainText(drawMarkdown(item.text, LINE_WIDTH)),
      );
    case "question":
      return addPrefix("Question: ", toPlainText(drawMarkdown(item.text, LINE_WIDTH)));
    case "tool":
      return sayTool(item);
    case "explored":
      return sayExplored(item);
    case "consent":
      return sayConsent(item);
    case "recall":
      return toPlainText(drawRecall(item.recall, LINE_WIDTH));
    case "thought":
      return item.unfolded
        ? addPrefix("Thought: ", item.text.split("\n"))
        : [`Thought for ${formatElapsed(item.milliseconds)}.`];
    case "memories":
      return sayMemories(item);
    case "note":
      return sayNote(item.text, item.tone);
  }
}

function sayTool(tool: FinishedTool): readonly string[] {
  const { name, about, isError, diff, summary, unfolded, isPreview } = tool;
  const prefix = tool.contextLabel === undefined ? "" : `${tool.contextLabel}: `;
  const call = `${name}${about === "" ? "" : ` ${about}`}`;
  const state = isError ? "Failed" : isPreview === true ? "Would change" : "Done";
  if (diff !== undefined && !isError) {
    const { added, removed } = countChanges(diff);
    const head = `${prefix}${state}: ${call}, ${formatLineCount(added)} added, ${formatLineCount(removed)} removed.`;
    return [head, ...(tool.isShownAbove === true ? [] : sayDiff(diff))];
  }
  const output = unfolded || name === "shell" ? (tool.output ?? summary) : isError ? summary : "";
  const rows = output.split("\n").filter((row) => row.trim() !== "");
  const visible = unfolded ? rows : rows.slice(-MAX_OUTPUT_LINES);
  const more =
    visible.length < rows.length
      ? [`${formatLineCount(rows.length - visible.length)} before these.`]
      : [];
  return [`${prefix}${state}: ${call}`, ...more, ...visible];
}

/** Reads changed lines aloud, without context lines. */
function sayDiff(diff: string): readonly string[] {
  return diff.split("\n").flatMap((row) => {
    if (/^(?:---|\+\+\+) /.test(row)) return [];
    const position = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(row);
    if (position !== null) return [`At line ${position[1]}:`];
    if (row.startsWith("+")) return [`added: ${row.slice(1)}`];
    return row.startsWith("-") ? [`removed: ${row.slice(1)}`] : [];
  });
}

function sayExplored({ tools, contextLabel, unfolded }: ExploredItem): readonly string[] {
  const prefix = contextLabel === undefined ? "" : `${contextLabel}: `;
  const head = `${prefix}Explored ${countReadOnlyCalls(tools)}`;
  if (unfolded) {
    return [`${head}.`, ...tools.flatMap((tool) => sayTool({ ...tool, unfolded: true }))];
  }
  return [`${head}: ${tools.map(({ about, name }) => about || name).join(", ")}.`];
}

function sayConsent({ head, subject, why }: ConsentItem): readonly string[] {
  return [head, ...subject.split("\n"), ...(why === "" ? [] : [`Reason: ${why}`])];
}

function sayMemories({ about, items, unfolded }: MemoriesItem): readonly string[] {
  const rows = items.map(({ id, text }) => `${id}: ${text}`);
  const count = items.length === 1 ? "1 memory" : `${items.length} memories`;
  if (about === "offered") return ["Save to memory? Type /keep to save it.", ...rows];
  return unfolded ? [`${count} went with the message:`, ...rows] : [`${count} went with it.`];
}

const TONE_PREFIXES: Readonly<Record<NoteTone, string>> = {
  error: "Error: ",
  success: "Done: ",
  info: "Note: ",
  quiet: "",
  print: "",
  title: "",
};

function sayNote(text: string, tone: NoteTone): readonly string[] {
  const rows = tone === "print" ? toPlainText(drawMarkdown(text, LINE_WIDTH)) : text.split("\n");
  return addPrefix(TONE_PREFIXES[tone], rows.map(removeKeyHints));
}

function removeKeyHints(row: string): string {
  return row.replaceAll("shift+tab", "/mode").replaceAll("Ctrl-O", "/more");
}

function addPrefix(word: string, rows: readonly string[]): readonly string[] {
  const [first = "", ...others] = rows;
  return [`${word}${first}`, ...others];
}

function toPlainText(rows: readonly Line[]): readonly string[] {
  return rows.map((line) => paintLine(line, "none").trimEnd());
}

function formatLineCount(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
