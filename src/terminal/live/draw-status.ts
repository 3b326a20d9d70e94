import type { StatusData } from "../state/screen.ts";
import type { Line, Span } from "../text/style.ts";
import { truncate, widthOf } from "../text/width.ts";

const SEPARATOR = " · ";

const GRAY = { color: "gray" } as const;

/** The mode, and what confines, stand before what can be done without where columns are few. */
export function drawStatus(status: StatusData, width: number): Line {
  const shown: Span[] = [];
  let used = 0;
  for (const part of partsOf(status)) {
    const separator = shown.length === 0 ? "" : SEPARATOR;
    const room = width - used - widthOf(separator);
    if (widthOf(part.text) > room) {
      if (shown.length === 0) return [{ ...part, text: truncate(part.text, width) }];
      continue;
    }
    if (separator !== "") shown.push({ text: separator, style: GRAY });
    shown.push(part);
    used += widthOf(separator) + widthOf(part.text);
  }
  return shown;
}

const UNREADY = { starting: "starting …", failed: "not started" };

function partsOf(status: StatusData): readonly Span[] {
  const { model, inputTokens, outputTokens, database, cwd, permissionMode, branch } = status;
  const gray = (text: string): Span => ({ text, style: GRAY });
  const parts = [
    gray(status.state === "ready" ? (model ?? "no model: /setup") : UNREADY[status.state]),
    gray(permissionMode ?? ""),
    confinement(status.sandbox),
    gray(contextShare(status)),
    gray(dollars(status.cost ?? 0)),
    gray(branch ?? ""),
    gray(inputTokens + outputTokens === 0 ? "" : `↑${short(inputTokens)} ↓${short(outputTokens)}`),
    gray(database === undefined ? "" : `memory ${database}`),
    gray(cwd),
  ];
  return parts.filter(({ text }) => text !== "");
}

/** The reason why nothing confines was said in the first line of the session. */
function confinement(sandbox: string | undefined): Span {
  if (sandbox?.startsWith("off") === true) return { text: "no sandbox", style: { color: "red" } };
  // What it consists of stands in the first line.
  return { text: sandbox?.split(" (", 1)[0] ?? "", style: GRAY };
}

/** `context 12%`; `~12%` of a window that is assumed. */
function contextShare({ contextUsed, isWindowAssumed }: StatusData): string {
  if (contextUsed === undefined) return "";
  return `context ${isWindowAssumed === true ? "~" : ""}${Math.round(contextUsed * 100)}%`;
}

/** `$0.004`, `$1.23`; nothing where nothing was paid. */
function dollars(cost: number): string {
  if (cost <= 0) return "";
  if (cost < 0.001) return "<$0.001";
  return `$${cost.toFixed(cost < 0.1 ? 3 : 2)}`;
}

/** `950`, `12.3k`, `1.2M`. */
function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
