import { drawExploring } from "../cards/draw-explored.ts";
import { drawEditor } from "../editor/editor.ts";
import { drawMarkdown } from "../markdown/draw-markdown.ts";
import { pendingMarkdown } from "../markdown/markdown-stream.ts";
import type { Screen, StatusData } from "../state/screen.ts";
import type { Line, Span } from "../text/style.ts";
import { textWidth, truncate, truncateLine } from "../text/wrap.ts";
import { drawActivity, drawProgress, drawTools } from "./draw-activity.ts";
import { drawChoices, drawCompletion, drawPicker, drawQueue } from "./draw-offers.ts";

const SEPARATOR = " · ";

const GRAY_STYLE = { color: "gray" } as const;

export function drawStatus(status: StatusData, width: number): Line {
  const spans: Span[] = [];
  let used = 0;
  for (const part of drawParts(status)) {
    const separator = spans.length === 0 ? "" : SEPARATOR;
    const available = width - used - textWidth(separator);
    if (textWidth(part.text) > available) {
      if (spans.length === 0) return [{ ...part, text: truncate(part.text, width) }];
      continue;
    }
    if (separator !== "") spans.push({ text: separator, style: GRAY_STYLE });
    spans.push(part);
    used += textWidth(separator) + textWidth(part.text);
  }
  return spans;
}

const STARTUP_STATES = { starting: "starting …", failed: "not started" };

function drawParts(status: StatusData): readonly Span[] {
  const { model, inputTokens, outputTokens, database, cwd, permissionMode, branch } = status;
  const gray = (text: string): Span => ({ text, style: GRAY_STYLE });
  const parts = [
    gray(status.state === "ready" ? (model ?? "no model: /setup") : STARTUP_STATES[status.state]),
    gray(permissionMode ?? ""),
    drawConfinement(status.sandbox),
    gray(formatContextShare(status)),
    gray(formatDollars(status.cost ?? 0)),
    gray(branch ?? ""),
    gray(
      inputTokens + outputTokens === 0
        ? ""
        : `↑${formatTokenCount(inputTokens)} ↓${formatTokenCount(outputTokens)}`,
    ),
    gray(database === undefined ? "" : `memory ${database}`),
    gray(cwd),
  ];
  return parts.filter(({ text }) => text !== "");
}

function drawConfinement(sandbox: string | undefined): Span {
  if (sandbox?.startsWith("off") === true) return { text: "no sandbox", style: { color: "red" } };
  return { text: sandbox?.split(" (", 1)[0] ?? "", style: GRAY_STYLE };
}

function formatContextShare({ contextUsed, isWindowAssumed }: StatusData): string {
  if (contextUsed === undefined) return "";
  return `context ${isWindowAssumed === true ? "~" : ""}${Math.round(contextUsed * 100)}%`;
}

/** Such as `$0.004`, `$1.23`; empty if free. */
function formatDollars(cost: number): string {
  if (cost <= 0) return "";
  if (cost < 0.001) return "<$0.001";
  return `$${cost.toFixed(cost < 0.1 ? 3 : 2)}`;
}

/** Such as `950`, `12.3k`, `1.2M`. */
function formatTokenCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export interface LiveView {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
}

/** Draws the changing part of the screen, at least one row less than the terminal height. */
export function drawLive(screen: Screen, view: LiveView): readonly Line[] {
  // Leave the last column free: a full row wraps when the window shrinks.
  const width = Math.max(10, view.columns - 1);
  const maxRows = Math.max(2, view.rows - 1);
  const input = drawInput(screen, width, Math.max(1, Math.floor(maxRows / 3)));
  const foot = [...drawOffers(screen, width, maxRows), ...drawStatusRow(screen, width, maxRows)];
  let available = maxRows - input.length;
  const below = foot.slice(-available);
  available -= below.length;
  const around = drawFrame(screen, {
    width,
    rows: Math.max(2, available - 2),
    now: view.now,
  }).slice(0, Math.max(0, available - 1));
  available -= around.length;
  const answer = available > 2 ? drawAnswer(screen, width).slice(-(available - 2)) : [];
  const above = [...answer, ...gapBetween(answer, around), ...around];
  const lines = [...above, ...(above.length > 0 || available > 1 ? [[]] : []), ...input, ...below];
  return lines.slice(-maxRows).map((line) => truncateLine(line, width));
}

function gapBetween(answer: readonly Line[], around: readonly Line[]): readonly Line[] {
  return answer.length > 0 && around.length > 0 ? [[]] : [];
}

function drawAnswer(screen: Screen, width: number): readonly Line[] {
  const text = pendingMarkdown(screen.stream.markdown);
  if (text.trim() === "") return [];
  const lines = drawMarkdown(text, width);
  return screen.finished.length > 0 ? [[], ...lines] : lines;
}

function drawFrame(
  screen: Screen,
  view: { readonly width: number; readonly rows: number; readonly now: number },
): readonly Line[] {
  if (screen.prompt !== undefined) {
    const isWriting = screen.editor.text !== "";
    return [...drawChoices(screen.prompt, view, isWriting), ...drawQueue(screen.queue)];
  }
  return [
    ...drawProgress(screen.progress, screen.run !== undefined),
    ...drawExploring(screen.reads, view.width),
    ...drawTools(screen, view.now),
    ...drawActivity(screen, view.now),
    ...drawQueue(screen.queue),
  ];
}

function drawInput(screen: Screen, width: number, rows: number): readonly Line[] {
  const hint: readonly Line[] =
    screen.hint === undefined ? [] : [[{ text: screen.hint.text, style: { color: "yellow" } }]];
  const editor = drawEditor(visibleEditor(screen), {
    width,
    rows,
    placeholder: choosePlaceholder(screen),
    marker: { text: "› ", style: { color: "cyan", bold: true } },
  });
  return [...hint, ...editor];
}

/** Masks secrets while typing. */
function visibleEditor({ editor, prompt }: Screen): Screen["editor"] {
  if (prompt?.isSecret !== true) return editor;
  return { ...editor, text: "•".repeat(editor.text.length) };
}

function choosePlaceholder(screen: Screen): string {
  if (screen.prompt !== undefined)
    return screen.prompt.choices.length > 0 ? "or type an answer" : "Answer";
  if (screen.run !== undefined) return "Type a message; the agent reads it before its next step";
  return screen.finished.length === 0 ? "Ask anything, / for commands, @ for files" : "";
}

function drawOffers(screen: Screen, width: number, maxRows: number): readonly Line[] {
  const rows = Math.max(1, Math.min(6, Math.floor(maxRows / 3)));
  if (screen.picker !== undefined) return drawPicker(screen.picker, { width, rows });
  if (screen.completion !== undefined) return drawCompletion(screen.completion, { width, rows });
  return [];
}

function drawStatusRow(screen: Screen, width: number, maxRows: number): readonly Line[] {
  return maxRows < 5 ? [] : [drawStatus(screen.status, width)];
}
