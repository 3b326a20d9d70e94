import { messageOf } from "../../../shared/errors.ts";
import { readLines } from "../../../shared/read-lines.ts";
import { type ImportInput, peekText, readText } from "../import-input.ts";
import type { SkippedRecord } from "../imported-record.ts";

export interface JsonLine {
  readonly kind: "value";
  readonly where: string;
  readonly value: unknown;
}

/**
 * Reads JSON Lines. Also accepts several values on a line, values over several lines, and a single
 * array, as interrupted or concurrent writers produce them. Reports unparsable text as skipped,
 * with its line.
 */
export async function* readJsonLines(input: ImportInput): AsyncIterable<JsonLine | SkippedRecord> {
  const document = await parseWholeDocument(input);
  if (document !== undefined) {
    const items = Array.isArray(document) ? document : [document];
    for (const [index, value] of items.entries()) {
      yield { kind: "value", where: `item ${index + 1}`, value };
    }
    return;
  }
  let line = 0;
  for await (const text of readLines(input.chunks())) {
    line += 1;
    const where = `line ${line}`;
    const { values, reason } = parseValues(text);
    for (const value of values) yield { kind: "value", where, value };
    if (reason !== undefined) yield { kind: "skipped", where, reason };
  }
}

/** Parses a file as a single multi-line JSON value; undefined if it is not one. */
async function parseWholeDocument(input: ImportInput): Promise<unknown> {
  const [first = ""] = (await peekText(input)).trimStart().split("\n", 1);
  if (!/^[[{]/.test(first) || (first.startsWith("{") && parseValues(first).values.length > 0)) {
    return undefined;
  }
  try {
    return JSON.parse(await readText(input));
  } catch {
    return undefined;
  }
}

interface ParsedLine {
  readonly values: readonly unknown[];
  /** Parse error of the rest of the line. */
  readonly reason?: string;
}

/** Parses consecutive objects and arrays up to the first invalid one, in linear time. */
function parseValues(line: string): ParsedLine {
  if (line.trim() === "") return { values: [] };
  try {
    return { values: [JSON.parse(line)] };
  } catch (error) {
    const values: unknown[] = [];
    let start = nextValue(line, 0);
    while (start < line.length) {
      const end = findValueEnd(line, start);
      try {
        values.push(JSON.parse(line.slice(start, end)));
      } catch (inner) {
        const reason = values.length === 0 ? error : inner;
        return { values, reason: `not JSON: ${messageOf(reason)}` };
      }
      start = nextValue(line, end);
    }
    return { values };
  }
}

function nextValue(text: string, from: number): number {
  let index = from;
  while (index < text.length && /[\s,\0]/.test(text[index] ?? "")) index += 1;
  return index;
}

/** Returns the index after the object or array at `start`, by counting brackets outside strings. */
function findValueEnd(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (isString && character === "\\") index += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === "{" || character === "[")) depth += 1;
    else if (!isString && (character === "}" || character === "]")) {
      depth -= 1;
      if (depth <= 0) return index + 1;
    }
  }
  return text.length;
}
