import type { OutputOf } from "../../../memory/index.ts";

type Item = OutputOf<"items">["items"][number];

export type ListFormat = "csv" | "json" | "md";

interface Format {
  readonly type: string;
  write(items: readonly Item[]): string;
}

/** The columns of a table, in order. */
const COLUMNS = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  type: ({ type }) => type,
  title: ({ title }) => title ?? "",
  text: ({ text }) => text,
  at: ({ at }) => at,
  by: ({ asserted_by: by }) => by ?? "",
  source: ({ source_ref: source }) => source ?? "",
  session: ({ session }) => session ?? "",
  topic: ({ topic_id: topic }) => topic ?? "",
  entities: ({ entities }) => entities.join(" "),
  labels: ({ labels }) => labels.map(({ key, value }) => `${key}=${value}`).join(" "),
} as const satisfies Record<string, (item: Item) => string>;

/** Forms in which a list is saved. */
export const LIST_FORMATS: Readonly<Record<ListFormat, Format>> = {
  csv: { type: "text/csv", write: toCsv },
  json: { type: "application/json", write: (items) => `${JSON.stringify(items, null, 2)}\n` },
  md: { type: "text/markdown", write: toMarkdown },
};

/** By RFC 4180: lines end with CR LF, quotes are doubled. */
function toCsv(items: readonly Item[]): string {
  const rows = items.map((item) => Object.values(COLUMNS).map((read) => csvField(read(item))));
  return [Object.keys(COLUMNS), ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** A program that opens tables takes a leading `=`, `+`, `-` or `@` for a formula and would run it. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toMarkdown(items: readonly Item[]): string {
  const line = ({ id, type, title, text, at, asserted_by: by }: Item) => {
    const said = [title, text].filter(Boolean).join(": ").replace(/\s+/g, " ");
    const who = by === null ? "" : `, ${by}`;
    return `- ${escapeMarkdown(said)} (${type}, ${at.slice(0, 10)}${escapeMarkdown(who)}, \`${id}\`)\n`;
  };
  return items.map(line).join("");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}
