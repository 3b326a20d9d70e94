import type { InputOf } from "../../../memory/index.ts";
import { shellWord } from "../../../shared/text.ts";
import { FILTERS } from "../../data/filters.ts";

export const FACETED = ["kinds", "type", "by", "entity", "labels", "topic", "session"] as const;

export type Faceted = (typeof FACETED)[number];

const IN_ADDRESS: Readonly<Partial<Record<FilterName, string>>> = { text: "q" };

/** Filters that have no facet. */
const OTHERS = FILTERS.filter(({ name }) => !FACETED.some((faceted) => faceted === name));

type FilterName = (typeof FILTERS)[number]["name"];

export const DEFAULT_KINDS = ["episode", "concept"] as const;

export type ItemsInput = InputOf<"items">;

export function toFilter(query: Readonly<Record<string, string>>): ItemsInput {
  const kinds = getValues(query, "kinds");
  return {
    ...filtersIn(query),
    ...(kinds.length > 0 && { kinds }),
    ...(getSort(query) !== "newest" && { sort: getSort(query) }),
  };
}

/** Returns the chosen order; default: best match for a search, else newest first. */
export function getSort(query: Readonly<Record<string, string>>): NonNullable<ItemsInput["sort"]> {
  return (query.sort || (query.q?.trim() ? "best" : "newest")) as NonNullable<ItemsInput["sort"]>;
}

/** Returns all filters of the URL by the server's names. */
export function filtersIn(query: Readonly<Record<string, string>>): Pick<ItemsInput, FilterName> {
  const filter: Record<string, unknown> = { kinds: [...DEFAULT_KINDS] };
  for (const { name, kind } of FILTERS) {
    const text = query[IN_ADDRESS[name] ?? name]?.trim() ?? "";
    if (text === "") continue;
    filter[name] = kind === "boolean" ? text === "true" : kind === "list" ? splitList(text) : text;
  }
  return filter;
}

const splitList = (text: string) => text.split(",").filter((value) => value !== "");

export function getValues(query: Readonly<Record<string, string>>, name: Faceted): string[] {
  return splitList(query[name] ?? "");
}

export function toggled(
  query: Readonly<Record<string, string>>,
  name: Faceted,
  value: string,
): Record<string, string> {
  const values = getValues(query, name);
  const others = values.filter((one) => one !== value);
  const next = others.length === values.length ? [...values, value] : others;
  return { [name]: next.join(",") };
}

export function getChips(query: Readonly<Record<string, string>>) {
  const facets = FACETED.filter((name) => name !== "kinds").flatMap((name) =>
    getValues(query, name).map((value) => ({
      name,
      value,
      without: toggled(query, name, value),
    })),
  );
  const others = OTHERS.map(({ name }) => IN_ADDRESS[name] ?? name)
    .filter((name) => query[name])
    .map((name) => ({ name, value: query[name] ?? "", without: { [name]: "" } }));
  return [...others, ...facets];
}

export function asCommand(query: Readonly<Record<string, string>>, db: string): string {
  const flags = Object.entries(toFilter(query)).map(
    ([name, value]) =>
      `--${name.replaceAll("_", "-")} ${shellWord(Array.isArray(value) ? value.join(",") : String(value))}`,
  );
  return ["cairn list items", `--db ${shellWord(db)}`, ...flags].join(" ");
}
