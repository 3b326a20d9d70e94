import { messageOf } from "../../../shared/errors.ts";
import { readLines } from "../../../shared/read-lines.ts";
import type { ImportInput } from "../import-input.ts";
import type { SkippedRecord } from "../imported.ts";

export interface JsonLine {
  readonly kind: "value";
  readonly line: number;
  readonly value: unknown;
}

export async function* readJsonLines(input: ImportInput): AsyncIterable<JsonLine | SkippedRecord> {
  let line = 0;
  for await (const text of readLines(input.chunks())) {
    line += 1;
    if (text.trim() === "") continue;
    try {
      yield { kind: "value", line, value: JSON.parse(text) as unknown };
    } catch (error) {
      yield { kind: "skipped", where: `line ${line}`, reason: `not JSON: ${messageOf(error)}` };
    }
  }
}
