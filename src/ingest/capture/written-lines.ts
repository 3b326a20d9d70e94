import { isPlainObject } from "../../shared/json.ts";
import type { ToolUse } from "./tool-calls.ts";

export interface WrittenLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const OLD = ["old_string", "old_str", "old_text", "oldText"];
const NEW = ["new_string", "new_str", "new_text", "newText", "content", "file_text", "contents"];

/** The trimmed lines that an edit removes and adds. */
export function writtenLines({ input }: Pick<ToolUse["call"], "input">): WrittenLines {
  const edits = Array.isArray(input.edits) ? input.edits.filter(isPlainObject) : [];
  const parts = [input, ...edits];
  const lines = (names: readonly string[]) =>
    parts.flatMap((part) => names.flatMap((name) => linesOf(part[name])));
  const patch = patchLines(input);
  const old = [...lines(OLD), ...patch.removed];
  const written = [...lines(NEW), ...patch.added];
  return {
    removed: old.filter((line) => !written.includes(line)),
    added: written.filter((line) => !old.includes(line)),
  };
}

/** Reads patches of the form `*** Update File: …`. */
function patchLines(input: ToolUse["call"]["input"]): WrittenLines {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  const lines = texts
    .filter((text) => text.includes("*** Begin Patch"))
    .flatMap((text) => text.split("\n"));
  const marked = (mark: string) =>
    lines.flatMap((line) => (line.startsWith(mark) ? linesOf(line.slice(1)) : []));
  return { removed: marked("-"), added: marked("+") };
}

function linesOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
