import { invalidInput, isCairnError } from "../../shared/errors.ts";
import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import type { MemoryLimits } from "../input/limits.ts";
import { ExportTally, VERSION_WITHOUT_TRAILER } from "./export-format.ts";
import { type ImportedRow, parseObject, readHeader, readRow } from "./read-row.ts";

export interface LineOfExport {
  /** Counted from 1. */
  readonly number: number;
  readonly row: ImportedRow;
}

/**
 * The rows of an export. The value at the end tells whether the export was complete. Throws
 * invalid_input that names the line, also for a file that was cut or changed after it was written.
 */
export async function* readExport(
  lines: AsyncIterable<string>,
  limits: MemoryLimits,
): AsyncGenerator<LineOfExport, { readonly complete: boolean }, void> {
  const tally = new ExportTally();
  let number = 0;
  let version = 0;
  let end: unknown;
  for await (const received of lines) {
    number += 1;
    // A file that was carried through another system may have got its line breaks.
    const line = received.endsWith("\r") ? received.slice(0, -1) : received;
    if (number === 1) {
      version = atLine(number, () => readHeader(line));
    } else if (line.trim() === "") {
      continue;
    } else if (end !== undefined) {
      throw invalidInput(`line ${number}: stands behind the end of the export`);
    } else {
      const parsed = atLine(number, () => parseObject(line));
      if ("end" in parsed) {
        end = parsed.end;
        continue;
      }
      const row = atLine(number, () => readRow(parsed, limits));
      tally.addRows(row.exported.name, 1);
      yield { number, row };
    }
    tally.addText(`${line}\n`);
  }
  if (number === 0) atLine(1, () => readHeader(undefined));
  if (version === VERSION_WITHOUT_TRAILER && end === undefined) return { complete: true };
  return checkEnd(end, tally, number);
}

function checkEnd(end: unknown, tally: ExportTally, line: number): { complete: boolean } {
  if (end === undefined) {
    throw invalidInput(
      `line ${line}: the file was cut off here: the last line of an export tells how many rows came before it. Export again, or fetch the file again.`,
    );
  }
  const complete = !isPlainObject(end) || end.complete !== false;
  const expected = tally.trailer(complete);
  if (canonicalJson(end) === canonicalJson(expected)) return { complete };
  const told = isPlainObject(end) && typeof end.rows === "number" ? end.rows : undefined;
  const counts =
    told === undefined || told === expected.rows
      ? ""
      : `${told} rows were written and ${expected.rows} are there. `;
  throw invalidInput(
    `line ${line}: the file is not as it was written: ${counts}Its checksum is another one. Fetch it again; if it was changed on purpose, remove the last line and write "version":${VERSION_WITHOUT_TRAILER} in the first.`,
  );
}

function atLine<T>(number: number, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!isCairnError(error)) throw error;
    throw invalidInput(`line ${number}: ${error.message}`);
  }
}
