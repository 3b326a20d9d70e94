import { drawMarkdown } from "../markdown/draw-markdown.ts";
import { drawRecall } from "../memory/draw-recall.ts";
import type {
  ConsentItem,
  FinishedItem,
  MemoriesItem,
  NoteTone,
  ThoughtItem,
} from "../state/screen.ts";
import { formatElapsed } from "../text/format-elapsed.ts";
import type { Line, Style } from "../text/style.ts";
import { expandTabs, takeColumns, truncateLine, wrapText } from "../text/wrap.ts";
import { drawExplored } from "./draw-explored.ts";
import { drawToolCard } from "./draw-tool-card.ts";

const DIM_STYLE: Style = { color: "gray" };
const MARK_STYLE: Style = { color: "magenta" };

function drawMemories(item: MemoriesItem, width: number): readonly Line[] {
  const head: Line = [
    { text: "◆ ", style: MARK_STYLE },
    { text: formatTitle(item), style: DIM_STYLE },
  ];
  const rows = item.unfolded ? item.items.flatMap((memory) => drawMemory(memory, item, width)) : [];
  return [truncateLine(head, width), ...rows];
}

function formatTitle({ about, items, unfolded }: MemoriesItem): string {
  if (about === "offered") {
    const one = items.length > 1 ? ", /keep 2 saves one of them" : "";
    return `Save to memory? Ctrl-S saves ${items.length > 1 ? "all" : "it"}${one}`;
  }
  const count = items.length === 1 ? "1 memory" : `${items.length} memories`;
  if (unfolded) return `${count}; /wrong corrects, forgets or hides one`;
  const [first] = items;
  const beginning = first === undefined ? "" : `: ${first.text.replace(/\s+/g, " ")}`;
  return `${count}, Ctrl-O shows ${items.length === 1 ? "it" : "them"}${beginning}`;
}

function drawMemory(
  { id, text }: MemoriesItem["items"][number],
  { about }: MemoriesItem,
  width: number,
): readonly Line[] {
  const first = about === "offered" ? `  ${id} ` : "  · ";
  const label = about === "offered" ? text : `${text} (${id})`;
  return wrapText(label, { width, first: [{ text: first, style: DIM_STYLE }], style: DIM_STYLE });
}

const INDENT = "  ";

export function drawConsent(
  { head, subject, why, isLong }: ConsentItem,
  width: number,
): readonly Line[] {
  const lines = subject.split("\n");
  const rows = lines.flatMap((line) =>
    cutText(expandTabs(line), Math.max(1, width - INDENT.length)),
  );
  const below = `${head} All ${lines.length} lines are shown above; Enter declines.`;
  return [
    ...wrapText(head, { width, style: { bold: true } }),
    ...rows.map((row): Line => [{ text: INDENT }, { text: row }]),
    ...(isLong ? wrapText(below, { width, style: { bold: true } }) : []),
    ...(why === "" ? [] : wrapText(why, { width })),
  ];
}

function cutText(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  do {
    const row = takeColumns(rest, width);
    const piece = row === "" ? (Array.from(rest)[0] ?? "") : row;
    rows.push(piece);
    rest = rest.slice(piece.length);
  } while (rest !== "");
  return rows;
}

/** Draws a finished item, after an empty row unless it continues `previous`. */
export function drawItem(
  item: FinishedItem,
  previous: FinishedItem | undefined,
  width: number,
): readonly Line[] {
  const lines = drawBody(item, width);
  return previous === undefined || joinsPrevious(item, previous) ? lines : [[], ...lines];
}

function drawBody(item: FinishedItem, width: number): readonly Line[] {
  switch (item.kind) {
    case "user":
      return wrapText(item.text, {
        width,
        first: [{ text: "› ", style: { color: "cyan", bold: true } }],
        style: { bold: true },
      });
    case "assistant":
      return drawMarkdown(item.text, width);
    case "tool":
      return drawToolCard(item, width);
    case "explored":
      return drawExplored(item, width);
    case "question":
      return drawMarkdown(item.text, width);
    case "consent":
      return drawConsent(item, width);
    case "recall":
      return drawRecall(item.recall, width);
    case "thought":
      return drawThought(item, width);
    case "memories":
      return drawMemories(item, width);
    case "note":
      return drawNote(item.text, item.tone, width);
  }
}

function drawThought(item: ThoughtItem, width: number): readonly Line[] {
  const style: Style = { color: "gray" };
  const hint = item.unfolded ? "" : " · Ctrl-O shows it";
  const head: Line = [{ text: `◇ Thought for ${formatElapsed(item.milliseconds)}${hint}`, style }];
  if (!item.unfolded) return [truncateLine(head, width)];
  const inner: Style = { color: "gray", italic: true };
  return [head, ...wrapText(item.text, { width, first: [{ text: "  " }], style: inner })];
}

const TONE_STYLES: Readonly<Record<NoteTone, { mark: string; style: Style }>> = {
  info: { mark: "· ", style: { color: "gray" } },
  success: { mark: "✓ ", style: { color: "green" } },
  error: { mark: "✗ ", style: { color: "red" } },
  quiet: { mark: "· ", style: { color: "gray" } },
  print: { mark: "", style: {} },
  title: { mark: "", style: { bold: true } },
};

function drawNote(text: string, tone: NoteTone, width: number): readonly Line[] {
  const { mark, style } = TONE_STYLES[tone];
  if (tone === "print") return drawMarkdown(text, width);
  return wrapText(text, { width, first: [{ text: mark, style }], style });
}

function isRow(item: FinishedItem): boolean {
  return item.kind === "explored" || (item.kind === "tool" && item.diff === undefined);
}

function joinsPrevious(item: FinishedItem, previous: FinishedItem): boolean {
  if (item.kind === "assistant") return item.continues && previous.kind === "assistant";
  if (item.kind === "tool") return isRow(previous) && !item.unfolded;
  if (item.kind === "explored") return isRow(previous) && !item.unfolded;
  if (item.kind === "memories") return item.about === "told" && !item.unfolded;
  if (item.kind !== "note") return false;
  return item.tone === "quiet" || (previous.kind === "note" && item.tone !== "title");
}
