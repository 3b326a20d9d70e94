import type { ProgressItem } from "../../agent/index.ts";
import type { RunningTool, Screen } from "../state/screen.ts";
import { formatElapsed } from "../text/format-elapsed.ts";
import type { Line, Style } from "../text/style.ts";

const GRAY_STYLE: Style = { color: "gray" };
const SPINNER_FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const FRAME_MS = 120;
const MAX_TOOLS = 4;
const MAX_PROGRESS_ITEMS = 8;

export function drawActivity(screen: Screen, now: number): readonly Line[] {
  const { run, thought, pendingCall } = screen;
  if (run === undefined) return [];
  const activity = { working: "Working", stopping: "Stopping", handover: "Summarising" }[
    run.activity
  ];
  return [
    [
      { text: `${frameAt(now)} `, style: { color: "cyan" } },
      { text: `${activity} ${formatElapsed(now - run.startedAt)}` },
      ...(pendingCall === undefined
        ? []
        : [
            { text: ` · ${pendingCall.name} ` },
            { text: formatSize(pendingCall.size), style: GRAY_STYLE },
          ]),
      { text: run.activity === "stopping" ? "" : " · Esc stops", style: GRAY_STYLE },
      ...(thought === undefined ? [] : [{ text: lastLine(thought.text), style: GRAY_STYLE }]),
    ],
  ];
}

/** Such as `850 B`, `3.2 kB`. */
function formatSize(characters: number): string {
  return characters < 1000 ? `${characters} B` : `${(characters / 1000).toFixed(1)} kB`;
}

function lastLine(text: string): string {
  return ` · ${text.replace(/\s+/g, " ").trim().slice(-60)}`;
}

export function drawTools(screen: Screen, now: number): readonly Line[] {
  const { tools, subagentLines } = screen;
  const toolLines = tools.slice(-MAX_TOOLS).flatMap((tool) => drawTool(tool, now));
  const hidden = Math.max(0, tools.length - MAX_TOOLS);
  const more: Line[] = hidden > 0 ? [[{ text: `  … and ${hidden} more`, style: GRAY_STYLE }]] : [];
  const words = Object.entries(subagentLines)
    .slice(-2)
    .map(
      ([label, text]): Line => [
        { text: `${label} `, style: { color: "magenta" } },
        { text: text.trim().slice(-60), style: GRAY_STYLE },
      ],
    );
  return [...more, ...toolLines, ...words];
}

function drawTool(tool: RunningTool, now: number): readonly Line[] {
  const lines = tool.output === undefined || tool.output === "" ? [] : tool.output.split("\n");
  return [
    drawTitle(tool, now),
    ...lines.map((text): Line => [{ text: `  ${text}`, style: GRAY_STYLE }]),
  ];
}

function drawTitle(tool: RunningTool, now: number): Line {
  const seconds = now - tool.startedAt >= 2000 ? ` ${formatElapsed(now - tool.startedAt)}` : "";
  return [
    { text: "○ ", style: { color: "yellow" } },
    {
      text: tool.contextLabel === undefined ? "" : `${tool.contextLabel} `,
      style: { color: "magenta" },
    },
    { text: tool.name, style: { bold: true } },
    { text: seconds, style: GRAY_STYLE },
    { text: tool.about === "" ? "" : ` ${tool.about}` },
  ];
}

const PROGRESS_MARKS: Readonly<Record<ProgressItem["state"], { mark: string; style: Style }>> = {
  waiting: { mark: "☐", style: GRAY_STYLE },
  running: { mark: "▸", style: { color: "cyan", bold: true } },
  done: { mark: "☑", style: { color: "green" } },
  failed: { mark: "✗", style: { color: "red" } },
};

export function drawProgress(items: readonly ProgressItem[], isRunning: boolean): readonly Line[] {
  const isOver = items.every((item) => item.state === "done" || item.state === "failed");
  if (items.length === 0 || (isOver && !isRunning)) return [];
  const current = Math.max(
    0,
    items.findIndex((item) => item.state === "running"),
  );
  const first = Math.max(0, Math.min(current - 2, items.length - MAX_PROGRESS_ITEMS));
  const finished = items.filter((item) => item.state === "done").length;
  const rows = items.slice(first, first + MAX_PROGRESS_ITEMS).map((item): Line => {
    const { mark, style } = PROGRESS_MARKS[item.state];
    return [
      { text: `${mark} `, style },
      { text: item.label, style: item.state === "done" ? GRAY_STYLE : {} },
    ];
  });
  return [[{ text: `Tasks ${finished}/${items.length}`, style: { bold: true } }], ...rows];
}

function frameAt(now: number): string {
  return SPINNER_FRAMES[Math.floor(now / FRAME_MS) % SPINNER_FRAMES.length] ?? "·";
}
