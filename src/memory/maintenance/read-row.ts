import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { invalidInput, isCairnError, messageOf } from "../../shared/errors.ts";
import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseTimestamp } from "../../shared/time.ts";
import type { MemoryLimits } from "../input/limits.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  ExportTally,
  VERSION_WITHOUT_TRAILER,
} from "./export-format.ts";
import { EXPORTED_TABLES, type ExportedColumn, type ExportedTable } from "./exported-tables.ts";
import { checkRow } from "./row-rules.ts";

export interface ImportedRow {
  readonly exported: ExportedTable;
  readonly values: Record<string, unknown>;
}

/** Checks the header line and returns its version. Throws invalid_input. */
export function readHeader(line: string | undefined): number {
  const header = line === undefined ? undefined : parseObject(line);
  if (header?.format !== EXPORT_FORMAT) {
    throw invalidInput(
      `must be the header that \`cairn export\` writes: {"format":"${EXPORT_FORMAT}","version":${EXPORT_VERSION}}`,
    );
  }
  const version = [VERSION_WITHOUT_TRAILER, EXPORT_VERSION].find((one) => one === header.version);
  if (version !== undefined) return version;
  throw invalidInput(
    `the export has version ${JSON.stringify(header.version)}, and this cairn reads up to version ${EXPORT_VERSION}. Update cairn.`,
  );
}

export function readRow(line: Record<string, unknown>, limits: MemoryLimits): ImportedRow {
  const { table, row, ...further } = line;
  const [unknown] = Object.keys(further);
  if (unknown !== undefined) throw invalidInput(`unknown field "${unknown}"`);
  const exported = EXPORTED_TABLES.find(({ name }) => name === table);
  if (exported === undefined) {
    const names = EXPORTED_TABLES.map(({ name }) => name);
    throw invalidInput(
      `table: there is no table ${JSON.stringify(table)}.${didYouMean(String(table), names)}`,
    );
  }
  if (!isPlainObject(row)) throw invalidInput("row: must be an object");
  const names = exported.columns.map(({ name }) => name);
  const stray = Object.keys(row).find((name) => !names.includes(name));
  if (stray !== undefined) {
    throw invalidInput(`row: unknown field "${stray}".${didYouMean(stray, names)}`);
  }
  const values = exported.columns.map((column) => [
    column.property,
    readValue(row[column.name], column),
  ]);
  tryRead(() => checkRow(exported.name, row, limits));
  return { exported, values: Object.fromEntries(values) };
}

function tryRead(rule: () => void): void {
  try {
    rule();
  } catch (error) {
    if (!isCairnError(error)) throw error;
    throw invalidInput(`row: ${error.message}`);
  }
}

export function parseObject(line: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw invalidInput(`is not JSON (${messageOf(error)})`);
  }
  if (isPlainObject(parsed)) return parsed;
  throw invalidInput("must be a JSON object");
}

function readValue(value: unknown, { name, column }: ExportedColumn): unknown {
  if ((value === null || (value === undefined && ADDED_FIELDS.includes(name))) && !column.notNull) {
    return null;
  }
  if (value === undefined) throw invalidInput(`row: lacks "${name}"`);
  const requested = describeInvalid(value, name, column);
  if (requested !== undefined) throw invalidInput(`row: ${name} must be ${requested}`);
  return value;
}

const ADDED_FIELDS: readonly string[] = ["change_id"];

/** Describes the expected value; undefined if the value is valid. */
function describeInvalid(value: unknown, name: string, column: SQLiteColumn): string | undefined {
  if (column.enumValues !== undefined && column.enumValues.length > 0) {
    const known: readonly unknown[] = column.enumValues;
    return known.includes(value) ? undefined : `one of ${column.enumValues.join(", ")}`;
  }
  switch (column.dataType) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "number":
      if (column.columnType !== "SQLiteInteger") {
        return typeof value === "number" ? undefined : "a number";
      }
      return Number.isSafeInteger(value) ? undefined : "a whole number";
    case "json":
      if (name === "undo_of") return isNumbers(value) ? undefined : "an array of numbers";
      if (name === "tags" || name === "files")
        return isTexts(value) ? undefined : "an array of texts";
      return isPlainObject(value) ? undefined : "an object";
    default:
      if (typeof value !== "string") return "text";
      return isTimeColumn(name) && !isTimestamp(value)
        ? "a time such as 2026-03-31T10:30:00.000Z"
        : undefined;
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item));
}

function isTimeColumn(name: string): boolean {
  return name === "ts" || name.endsWith("_at") || name.startsWith("valid_");
}

function isTimestamp(text: string): boolean {
  try {
    return parseTimestamp(text, "start") === text;
  } catch {
    return false;
  }
}

interface ExportLine {
  readonly number: number;
  readonly row: ImportedRow;
}

/**
 * Yields the rows of an export and returns whether it was complete. Throws invalid_input that names
 * the line, also for truncated or modified files.
 */
export async function* readExport(
  lines: AsyncIterable<string>,
  limits: MemoryLimits,
): AsyncGenerator<ExportLine, { readonly complete: boolean }, void> {
  const tally = new ExportTally();
  let number = 0;
  let version = 0;
  let end: unknown;
  for await (const received of lines) {
    number += 1;
    // Other systems may have converted the line breaks.
    const line = received.endsWith("\r") ? received.slice(0, -1) : received;
    if (number === 1) {
      version = withLineNumber(number, () => readHeader(line));
    } else if (line.trim() === "") {
      continue;
    } else if (end !== undefined) {
      throw invalidInput(`line ${number}: is after the end of the export`);
    } else {
      const parsed = withLineNumber(number, () => parseObject(line));
      if ("end" in parsed) {
        end = parsed.end;
        continue;
      }
      const row = withLineNumber(number, () => readRow(parsed, limits));
      tally.addRows(row.exported.name, 1);
      yield { number, row };
    }
    tally.addText(`${line}\n`);
  }
  if (number === 0) withLineNumber(1, () => readHeader(undefined));
  if (version === VERSION_WITHOUT_TRAILER && end === undefined) return { complete: true };
  return checkEnd(end, tally, number);
}

function checkEnd(end: unknown, tally: ExportTally, line: number): { complete: boolean } {
  if (end === undefined) {
    throw invalidInput(
      `line ${line}: the file is truncated: it lacks the final line with the row count. Export or copy the file again.`,
    );
  }
  const complete = !isPlainObject(end) || end.complete !== false;
  const expected = tally.trailer(complete);
  if (canonicalJson(end) === canonicalJson(expected)) return { complete };
  const reported = isPlainObject(end) && typeof end.rows === "number" ? end.rows : undefined;
  const counts =
    reported === undefined || reported === expected.rows
      ? ""
      : `${reported} rows were written and ${expected.rows} are there. `;
  throw invalidInput(
    `line ${line}: the file was modified: ${counts}Its checksum does not match. Copy it again; if it was changed on purpose, remove the last line and write "version":${VERSION_WITHOUT_TRAILER} in the first.`,
  );
}

function withLineNumber<T>(number: number, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!isCairnError(error)) throw error;
    throw invalidInput(`line ${number}: ${error.message}`);
  }
}
