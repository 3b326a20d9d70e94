import type { AgentEvent } from "../../agent/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { stripControl } from "../../shared/text.ts";
import type { RunResult } from "./run-result.ts";

/** One event as one line of JSON, its texts without control sequences. */
export function eventLine(event: AgentEvent | RunResult): string {
  return `${JSON.stringify(stripped(event))}\n`;
}

/** Arguments of a tool are a model's and may be nested as deeply as it likes. */
const DEEPEST = 64;

function stripped(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return stripControl(value);
  if (depth >= DEEPEST) return "…";
  if (Array.isArray(value)) return value.map((inner) => stripped(inner, depth + 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [stripControl(key), stripped(inner, depth + 1)]),
  );
}
