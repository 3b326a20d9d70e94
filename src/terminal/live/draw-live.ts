import { drawExploring } from "../cards/draw-explored.ts";
import { drawEditor } from "../editor/draw-editor.ts";
import { drawMarkdown } from "../markdown/draw-markdown.ts";
import { pendingMarkdown } from "../markdown/markdown-stream.ts";
import type { Screen } from "../state/screen.ts";
import type { Line } from "../text/style.ts";
import { truncateLine } from "../text/wrap.ts";
import { drawActivity, drawProgress, drawTools } from "./draw-activity.ts";
import { drawChoices, drawCompletion, drawPicker, drawQueue } from "./draw-offers.ts";
import { drawStatus } from "./draw-status.ts";

export interface LiveView {
  /** Columns of the terminal. */
  readonly columns: number;
  /** Rows of the terminal; the region stays below that. */
  readonly rows: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The part of the screen that still changes: at most one row less than the terminal has. */
export function drawLive(screen: Screen, view: LiveView): readonly Line[] {
  // The last column stays free: a full row would wrap when the window gets narrower.
  const width = Math.max(10, view.columns - 1);
  const most = Math.max(2, view.rows - 1);
  const input = drawInput(screen, width, Math.max(1, Math.floor(most / 3)));
  const foot = [...drawOffers(screen, width, most), ...drawStatusRow(screen, width, most)];
  let room = most - input.length;
  const below = foot.slice(-room);
  room -= below.length;
  const around = drawAround(screen, { width, rows: Math.max(2, room - 2), now: view.now }).slice(
    0,
    Math.max(0, room - 1),
  );
  room -= around.length;
  const answer = room > 2 ? drawAnswer(screen, width).slice(-(room - 2)) : [];
  const above = [...answer, ...gapBetween(answer, around), ...around];
  const lines = [...above, ...(above.length > 0 || room > 1 ? [[]] : []), ...input, ...below];
  return lines.slice(-most).map((line) => truncateLine(line, width));
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

/** What waits for an answer, runs or is queued, most important first. */
function drawAround(
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
  const editor = drawEditor(shownEditor(screen), {
    width,
    rows,
    placeholder: placeholderOf(screen),
    marker: { text: "› ", style: { color: "cyan", bold: true } },
  });
  return [...hint, ...editor];
}

/** A key is not for those who look over the shoulder. */
function shownEditor({ editor, prompt }: Screen): Screen["editor"] {
  if (prompt?.isSecret !== true) return editor;
  return { ...editor, text: "•".repeat(editor.text.length) };
}

function placeholderOf(screen: Screen): string {
  if (screen.prompt !== undefined) return screen.prompt.choices.length > 0 ? "or write" : "Answer";
  if (screen.run !== undefined) return "Write on; it is taken up at the next step";
  return screen.finished.length === 0 ? "Ask, or / for commands, @ for files" : "";
}

function drawOffers(screen: Screen, width: number, most: number): readonly Line[] {
  const rows = Math.max(1, Math.min(6, Math.floor(most / 3)));
  if (screen.picker !== undefined) return drawPicker(screen.picker, { width, rows });
  if (screen.completion !== undefined) return drawCompletion(screen.completion, { width, rows });
  return [];
}

function drawStatusRow(screen: Screen, width: number, most: number): readonly Line[] {
  return most < 5 ? [] : [drawStatus(screen.status, width)];
}
