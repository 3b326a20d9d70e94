import { EventLoopYielder } from "../../shared/async.ts";
import type { Op } from "./op-writer.ts";

/**
 * Writes ops as an editable changeset in compact form, or as JSON lines if a list entry contains a
 * comma, which the compact form cannot express.
 */
export async function writeChangeset(ops: readonly Op[]): Promise<string> {
  if (ops.every(isCompact)) return joinLines(ops, (op) => `${writeOp(op)}\n`, "");
  return `[\n${await joinLines(ops, (op) => JSON.stringify(op), ",\n")}\n]\n`;
}

/** Yields to the event loop between chunks. */
async function joinLines(
  ops: readonly Op[],
  getLine: (op: Op) => string,
  separator: string,
): Promise<string> {
  const lines: string[] = [];
  const turn = new EventLoopYielder();
  for (const op of ops) {
    lines.push(getLine(op));
    await turn.yieldIfDue();
  }
  return lines.join(separator);
}

/** Field of each op that is written last, as plain text. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  remember: "content",
  concept: "summary",
  conflict: "description",
  topic: "description",
};

function writeOp({ op, ...fields }: Op): string {
  const text = TEXT_FIELDS[op];
  const words = [op];
  for (const [key, value] of Object.entries(fields)) {
    if (key !== text) words.push(`${key}=${quoteWord(formatValue(value))}`);
  }
  const last = text === undefined ? undefined : fields[text];
  if (typeof last === "string" && last !== "") words.push(quoteText(last));
  return words.join(" ");
}

function isCompact({ op: _op, ...fields }: Op): boolean {
  return Object.values(fields).every(
    (value) => !Array.isArray(value) || value.every((item) => !itemText(item).includes(",")),
  );
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { key, value } = item as { readonly key?: unknown; readonly value?: unknown };
  return `${String(key)}=${String(value)}`;
}

function quoteWord(text: string): string {
  return /^[\w$./:@=,+-]+$/.test(text) ? text : quoteText(text);
}

function quoteText(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
