import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { type Fields, toInline } from "./show-value.ts";

export interface RecordForm {
  readonly oneline?: boolean;
  readonly csv?: boolean;
  /** Comma-separated field names. */
  readonly columns?: string | undefined;
  readonly format?: string | undefined;
}

export function isRecordForm({ oneline, csv, columns, format }: RecordForm): boolean {
  return oneline === true || csv === true || columns !== undefined || format !== undefined;
}

/** Writes one record per line; CSV starts with column names. Throws invalid_input. */
export function writeRecords(output: unknown, form: RecordForm): string[] {
  const records = collectRecords(output);
  const columns = chooseColumns(records, form);
  if (form.format !== undefined)
    return records.map((record) => filledFields(form.format ?? "", record));
  const rows = records.map((record) => columns.map((name) => formatCell(record[name])));
  if (form.csv === true) return [columns, ...rows].map((row) => row.map(csvCell).join(","));
  return rows.map((row) => row.filter((cell) => cell !== "").join("  "));
}

function collectRecords(output: unknown): Fields[] {
  if (!isPlainObject(output)) return [];
  return Object.values(output).flatMap((value) =>
    Array.isArray(value) ? value.filter(isPlainObject) : [],
  );
}

/** Default columns for any kind of record. */
const DEFAULT_COLUMNS: readonly string[] = [
  ...["id", "key", "value", "count", "kind", "episode_type", "type", "status"],
  ...["created_at", "asserted_by", "title", "name", "content", "statement", "description"],
];

function chooseColumns(records: readonly Fields[], { columns }: RecordForm): readonly string[] {
  const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (columns === undefined) return DEFAULT_COLUMNS.filter((name) => known.includes(name));
  const selected = columns.split(",").map((name) => name.trim());
  const unknown = records.length === 0 ? undefined : selected.find((name) => !known.includes(name));
  if (unknown === undefined) return selected;
  throw invalidInput(
    `--columns: no record has "${unknown}".${didYouMean(unknown, known)} Available: ${known.join(", ")}.`,
  );
}

function filledFields(format: string, record: Fields): string {
  return format.replace(/\{([a-z_]+)\}/g, (_match, name: string) => formatCell(record[name]));
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(formatCell).join(", ");
  if (!isPlainObject(value)) return toInline(value);
  const { key, value: nested, ...others } = value;
  const isLabel = typeof key === "string" && Object.keys(others).length === 0;
  return isLabel ? `${toInline(key)}=${toInline(nested)}` : toInline(JSON.stringify(value));
}

function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
