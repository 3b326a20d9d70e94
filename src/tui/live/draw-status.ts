import type { StatusData } from "../state/screen.ts";
import type { Line } from "../text/style.ts";
import { truncate, widthOf } from "../text/width.ts";

const SEPARATOR = " · ";

/** Model, context, tokens, database, folder and sandbox; the last ones go first where columns are few. */
export function drawStatus(status: StatusData, width: number): Line {
  let shown = "";
  for (const part of partsOf(status)) {
    const longer = shown === "" ? part : shown + SEPARATOR + part;
    if (widthOf(longer) <= width) shown = longer;
    else if (shown === "") return [{ text: truncate(part, width), style: { color: "gray" } }];
  }
  return [{ text: shown, style: { color: "gray" } }];
}

const UNREADY = { starting: "starting …", failed: "not started" };

function partsOf(status: StatusData): readonly string[] {
  const { model, contextUsed, inputTokens, outputTokens, database, cwd, permissionMode, sandbox } =
    status;
  const parts = [
    status.state === "ready" ? (model ?? "no model: /setup") : UNREADY[status.state],
    permissionMode ?? "",
    contextUsed === undefined ? "" : `context ${Math.round(contextUsed * 100)}%`,
    inputTokens + outputTokens === 0 ? "" : `↑${short(inputTokens)} ↓${short(outputTokens)}`,
    database === undefined ? "" : `memory ${database}`,
    cwd,
    sandbox === undefined ? "" : `sandbox ${sandbox}`,
  ];
  return parts.filter((part) => part !== "");
}

/** `950`, `12.3k`, `1.2M`. */
function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
