import type { InputOf, OutputOf } from "../../memory/index.ts";
import type { Client } from "./client.ts";
import type { RoutedOperation } from "./routes.ts";

/** File formats of a saved list. */
export const LIST_FORMATS = ["csv", "json", "md"] as const;

export type ListFormat = (typeof LIST_FORMATS)[number];

export interface ListForm<Row> {
  /** Columns of the table, in order. */
  readonly columns: Readonly<Record<string, (row: Row) => unknown>>;
  readonly line?: (row: Row) => string;
}

const TYPES: Readonly<Record<ListFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  md: "text/markdown",
};

/** Writes the file page by page, so that the whole list is never in memory. */
export async function writeList<Row extends object>(
  pages: AsyncIterable<readonly Row[]>,
  format: ListFormat,
  form: ListForm<Row>,
): Promise<{ readonly blob: Blob; readonly rows: number }> {
  const parts: string[] = [getHead(format, form)];
  let rows = 0;
  for await (const page of pages) {
    parts.push(
      ...page.map((row, index) => getRow(row, { format, form, isFirst: rows + index === 0 })),
    );
    rows += page.length;
  }
  if (format === "json") parts.push(rows === 0 ? "]\n" : "\n]\n");
  return { blob: new Blob(parts, { type: `${TYPES[format]}; charset=utf-8` }), rows };
}

function getHead<Row>(format: ListFormat, { columns, line }: ListForm<Row>): string {
  const names = Object.keys(columns);
  if (format === "csv") return `${names.join(",")}\r\n`;
  if (format === "json") return "[";
  if (line !== undefined) return "";
  return `| ${names.join(" | ")} |\n|${names.map(() => " --- |").join("")}\n`;
}

interface RowPlace<Row> {
  readonly format: ListFormat;
  readonly form: ListForm<Row>;
  readonly isFirst: boolean;
}

function getRow<Row>(row: Row, { format, form, isFirst }: RowPlace<Row>): string {
  if (format === "json") return `${isFirst ? "\n" : ",\n"}${JSON.stringify(row)}`;
  if (format === "md" && form.line !== undefined) return form.line(row);
  const values = Object.values(form.columns).map((read) => getText(read(row)));
  // By RFC 4180: lines end with CR LF, quotes are doubled.
  if (format === "csv") return `${values.map(csvField).join(",")}\r\n`;
  return `| ${values.map((value) => escapeMarkdown(value.replace(/\s+/g, " "))).join(" | ")} |\n`;
}

function getText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(getText).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Spreadsheets would run a leading `=`, `+`, `-` or `@` as a formula. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}

export async function saveDownload(response: Response, file: string): Promise<void> {
  saveBlob(await response.blob(), file);
}

export function saveBlob(blob: Blob, file: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const PAGE = 500;

interface PagedList<Name extends RoutedOperation, Row> {
  readonly db: string;
  readonly input: InputOf<Name>;
  read(output: OutputOf<Name>): readonly Row[];
  /** Input of the next page; undefined after the last one. */
  next(output: OutputOf<Name>): Partial<InputOf<Name>> | undefined;
}

/** Loads all pages of a server list, one after the other. */
export async function* getPages<Name extends RoutedOperation, Row>(
  client: Client,
  name: Name,
  { db, input, read, next }: PagedList<Name, Row>,
): AsyncGenerator<readonly Row[]> {
  let page: InputOf<Name> | undefined = { ...input, limit: PAGE };
  while (page !== undefined) {
    const { output }: { output: OutputOf<Name> } = await client.call(name, page, { db });
    yield read(output);
    const more = next(output);
    page = more === undefined ? undefined : { ...page, ...more };
  }
}

/** Returns the input of the next page for lists with `next_cursor`. */
export function behindCursor(output: {
  readonly next_cursor?: string | null | undefined;
}): { cursor: string } | undefined {
  const { next_cursor: cursor } = output;
  return cursor === undefined || cursor === null ? undefined : { cursor };
}
