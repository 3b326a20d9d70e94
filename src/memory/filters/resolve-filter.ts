import { invalidInput } from "../../shared/errors.ts";
import type { FilterContext, FilterPart } from "./define-filter.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";
import type { Wired } from "./wired.ts";

export interface GivenPart {
  readonly name: FilterName;
  readonly index: number;
  readonly part: FilterPart;
}

export type RecordFilter = readonly GivenPart[];

export type GivenFilter = { readonly [Name in FilterName]?: unknown };

/**
 * Times resolved, topics and types looked up. Throws invalid_input and not_found with the cure.
 * An input that lacks a filter does not compile.
 */
export async function resolveFilter<Given extends GivenFilter>(
  context: FilterContext,
  given: Given & Wired<FilterName, Given>,
): Promise<RecordFilter> {
  const found: GivenPart[] = [];
  for (const name of FILTER_NAMES) {
    if (given[name] === undefined) continue;
    const parts = await FILTERS[name].parts(given[name], { ...context, given: { ...given } });
    found.push(...parts.map((part, index) => ({ name, index, part })));
  }
  checkOrder(momentIn(found, "since"), momentIn(found, "until"));
  return found;
}

function momentIn(filter: RecordFilter, name: "since" | "until"): unknown {
  return filter.find((part) => part.name === name)?.part.values.at;
}

function checkOrder(since: unknown, until: unknown): void {
  if (typeof since !== "string" || typeof until !== "string" || since <= until) return;
  throw invalidInput(`since: ${since} is after until: ${until}; swap the two`);
}
