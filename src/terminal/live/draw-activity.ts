import type { ProgressItem } from "../../agent/index.ts";
import type { RunningTool, Screen } from "../state/screen.ts";
import { elapsed } from "../text/elapsed.ts";
import type { Line, Style } from "../text/style.ts";

const GRAY: Style = { color: "gray" };
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const FRAME_MS = 120;
const TOOLS_SHOWN = 4;
const PROGRESS_SHOWN = 8;

export function drawActivity(screen: Screen, now: number): readonly Line[] {
  const { run, thought, calling } = screen;
  if (run === undefined) return [];
  const activity = { working: "Working", stopping: "Stopping", handover: "Summarising" }[
    run.activity
  ];
  return [
    [
      { text: `${frameAt(now)} `, style: { color: "cyan" } },
      { text: `${activity} ${elapsed(now - run.startedAt)}` },
      ...(calling === undefined
        ? []
        : [{ text: ` · ${calling.name} ` }, { text: formatSize(calling.size), style: GRAY }]),
      { text: run.activity === "stopping" ? "" : " · Esc stops", style: GRAY },
      ...(thought === undefined ? [] : [{ text: lastWords(thought.text), style: GRAY }]),
    ],
  ];
}

/** Such as `850 B`, `3.2 kB`. */
function formatSize(characters: number): string {
  return characters < 1000 ? `${characters} B` : `${(characters / 1000).toFixed(1)} kB`;
}

function lastWords(text: string): string {
  return ` · ${text.replace(/\s+/g, " ").trim().slice(-60)}`;
}

export function drawTools(screen: Screen, now: number): readonly Line[] {
  const { tools, whispers } = screen;
  const shown = tools.slice(-TOOLS_SHOWN).flatMap((tool) => drawTool(tool, now));
  const hidden = Math.max(0, tools.length - TOOLS_SHOWN);
  const more: Line[] = hidden > 0 ? [[{ text: `  … and ${hidden} more`, style: GRAY }]] : [];
  const words = Object.entries(whispers)
    .slice(-2)
    .map(
      ([label, text]): Line => [
        { text: `${label} `, style: { color: "magenta" } },
        { text: text.trim().slice(-60), style: GRAY },
      ],
    );
  return [...more, ...shown, ...words];
}

function drawTool(tool: RunningTool, now: number): readonly Line[] {
  const lines = tool.output === undefined || tool.output === "" ? [] : tool.output.split("\n");
  return [drawTitle(tool, now), ...lines.map((text): Line => [{ text: `  ${text}`, style: GRAY }])];
}

function drawTitle(tool: RunningTool, now: number): Line {
  const seconds = now - tool.startedAt >= 2000 ? ` ${elapsed(now - tool.startedAt)}` : "";
  return [
    { text: "○ ", style: { color: "yellow" } },
    {
      text: tool.contextLabel === undefined ? "" : `${tool.contextLabel} `,
      style: { color: "magenta" },
    },
    { text: tool.name, style: { bold: true } },
    { text: seconds, style: GRAY },
    { text: tool.about === "" ? "" : ` ${tool.about}` },
  ];
}

const PROGRESS_MARKS: Readonly<Record<ProgressItem["state"], { mark: string; style: Style }>> = {
  waiting: { mark: "☐", style: GRAY },
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
  const first = Math.max(0, Math.min(current - 2, items.length - PROGRESS_SHOWN));
  const finished = items.filter((item) => item.state === "done").length;
  const rows = items.slice(first, first + PROGRESS_SHOWN).map((item): Line => {
    const { mark, style } = PROGRESS_MARKS[item.state];
    return [
      { text: `${mark} `, style },
      { text: item.label, style: item.state === "done" ? GRAY : {} },
    ];
  });
  return [[{ text: `Tasks ${finished}/${items.length}`, style: { bold: true } }], ...rows];
}

function frameAt(now: number): string {
  return FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "·";
}
