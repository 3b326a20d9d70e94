import { FILTER_NAMES, FILTERS, type FilterName } from "../../src/memory/filters/filter-table.ts";
import type { Filter } from "../../src/memory/filters/narrowing.ts";
import { fieldKind, metaOf, unwrapField } from "../../src/shared/fields.ts";

/** TypeScript of the filters as the shell completes them, without loading the engine. */
export function filterOptionsSource(): string {
  const entries = FILTER_NAMES.map((name) => {
    const { suggests } = filterOf(name);
    return entry({
      name,
      flags: flagsOf(name),
      isList: isList(name),
      ...(fieldKind(FILTERS[name].field) === "boolean" && { isSwitch: true }),
      ...(suggests !== undefined && { suggests }),
      says: descriptionOf(name),
    });
  });
  return `${HEAD_OF_CLI}[\n${entries.join("")}];\n`;
}

/** TypeScript of the filters as the page reads them from its address. */
export function webFiltersSource(): string {
  const entries = FILTER_NAMES.map((name) => {
    const { inRecall } = filterOf(name);
    const kind = isList(name) ? "list" : fieldKind(FILTERS[name].field);
    const pair = metaOf(FILTERS[name].field).queryLabel;
    return entry({
      name,
      kind,
      ...(pair !== undefined && { pair }),
      inRecall: inRecall === "shared",
      says: descriptionOf(name),
    });
  });
  return `${HEAD_OF_PAGE}[\n${entries.join("")}] as const satisfies readonly PageFilter[];\n`;
}

/** The formatter breaks a longer line where that makes it fit. */
const LINE = 100;

function entry(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const text = JSON.stringify(value).replaceAll('","', '", "');
    const line = `    ${name}: ${text},`;
    const isBroken = line.length > LINE && text.length + 7 <= LINE;
    return isBroken ? `    ${name}:\n      ${text},` : line;
  });
  return `  {\n${lines.join("\n")}\n  },\n`;
}

const filterOf = (name: FilterName): Filter => FILTERS[name];

function isList(name: FilterName): boolean {
  return ["list", "textList"].includes(fieldKind(FILTERS[name].field));
}

function flagsOf(name: FilterName): string[] {
  const { short, queryLabel } = metaOf(FILTERS[name].field);
  const long = [name, ...(queryLabel === undefined ? [] : [queryLabel])];
  return [
    ...long.map((one) => `--${one.replaceAll("_", "-")}`),
    ...(short === undefined ? [] : [`-${short}`]),
  ];
}

function descriptionOf(name: FilterName): string {
  const { field } = FILTERS[name];
  const inner = unwrapField(field);
  const said = field.description ?? (inner as { description?: string }).description;
  if (said === undefined) throw new Error(`the filter ${name} does not say what it does`);
  return said;
}

const HEAD_OF_CLI = `// Made by \`npm run docs\` from the table of filters; a test compares the two.

export interface FilterOption {
  readonly name: string;
  readonly flags: readonly string[];
  readonly isList: boolean;
  /** It stands without a value. */
  readonly isSwitch?: true;
  readonly suggests?: string;
  readonly says: string;
}

/** Filters as options. */
export const FILTER_OPTIONS: readonly FilterOption[] = `;

const HEAD_OF_PAGE = `// Made by \`npm run docs\` from the table of filters; a test compares the two.

interface PageFilter {
  readonly name: string;
  readonly kind: "text" | "list" | "boolean";
  /** The parameter of a query string that takes its pairs of key and value one by one. */
  readonly pair?: string;
  /** True if recall accepts the filter, too. */
  readonly inRecall: boolean;
  readonly says: string;
}

/** Filters of a list. */
export const FILTERS = `;
