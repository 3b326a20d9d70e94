import type { InputOf } from "../../../memory/index.ts";

/** The filters of a list as they stand in its address. */
export const FACETED = ["kinds", "type", "by", "entity", "labels", "topic", "session"] as const;

export type Faceted = (typeof FACETED)[number];

const OTHERS = ["q", "since", "until", "pending", "has", "sort"] as const;

export type ItemsInput = InputOf<"items">;

/** The filters as the operation takes them. Values of a facet are separated by commas, as the server reads them. */
export function toFilter(query: Readonly<Record<string, string>>): ItemsInput {
  const filter: Record<string, unknown> = {};
  for (const name of FACETED) {
    const values = valuesOf(query, name);
    if (values.length > 0) filter[name] = values;
  }
  if (query.q !== undefined && query.q.trim() !== "") filter.text = query.q.trim();
  if (query.since) filter.since = query.since;
  if (query.until) filter.until = query.until;
  if (query.pending) filter.pending = query.pending === "true";
  if (query.has) filter.has = [query.has];
  if (query.sort) filter.sort = query.sort;
  return filter as ItemsInput;
}

export function valuesOf(query: Readonly<Record<string, string>>, name: Faceted): string[] {
  return (query[name] ?? "").split(",").filter((value) => value !== "");
}

/** The query with a value of a facet added, or taken away where it was. */
export function toggled(
  query: Readonly<Record<string, string>>,
  name: Faceted,
  value: string,
): Record<string, string> {
  const values = valuesOf(query, name);
  const others = values.filter((one) => one !== value);
  const next = others.length === values.length ? [...values, value] : others;
  return { [name]: next.join(",") };
}

/** What narrows the list now, each with the change that takes it away. */
export function chipsOf(query: Readonly<Record<string, string>>) {
  const facets = FACETED.flatMap((name) =>
    valuesOf(query, name).map((value) => ({
      name,
      value,
      without: toggled(query, name, value),
    })),
  );
  const others = OTHERS.filter((name) => name !== "sort" && query[name]).map((name) => ({
    name,
    value: query[name] ?? "",
    without: { [name]: "" },
  }));
  return [...others, ...facets];
}

/** The same list from the shell. */
export function asCommand(query: Readonly<Record<string, string>>, db: string): string {
  const flags = Object.entries(toFilter(query)).map(
    ([name, value]) => `--${name} ${quote(Array.isArray(value) ? value.join(",") : String(value))}`,
  );
  return ["cairn items", `--db ${quote(db)}`, ...flags].join(" ");
}

function quote(text: string): string {
  return /^[\w.,:=/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
