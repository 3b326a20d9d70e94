import { type SQL, sql } from "drizzle-orm";
import { textSet } from "../../database/index.ts";
import { facts } from "../facts/fact.table.ts";
import type { BoundValues, Filter, FilterContext } from "./define-filter.ts";
import { FILTERS, type FilterName } from "./filter-table.ts";
import { FILTERED, type FilteredKind } from "./filtered-kinds.ts";
import { allOf } from "./narrowing.ts";
import {
  type GivenFilter,
  type GivenPart,
  type RecordFilter,
  resolveFilter,
} from "./resolve-filter.ts";

/** What the records of a kind must be to pass; undefined: none can. `except` is left aside. */
export function filterCondition(
  kind: FilteredKind,
  filter: RecordFilter,
  except?: FilterName,
): SQL | undefined {
  const asked = filter.filter(({ name }) => name !== except);
  return allOf([FILTERED[kind].active, ...asked.map((given) => listed(given, kind))]);
}

/** The same of records that are deleted, too; undefined: no filter was given, so all of them pass. */
export async function passing(
  kind: FilteredKind,
  context: FilterContext,
  given: GivenFilter,
): Promise<SQL | undefined> {
  const filter = await resolveFilter(context, given);
  if (filter.length === 0) return undefined;
  return allOf(filter.map((part) => listed(part, kind))) ?? sql`false`;
}

function listed(given: GivenPart, kind: FilteredKind): SQL | undefined {
  const filter: Filter = FILTERS[given.name];
  const bound = writtenOut(given);
  const itself = filter.narrows[kind]?.(bound);
  const ofFact =
    filter.ofClusters === "lists" && kind === "concept" ? filter.narrows.fact?.(bound) : undefined;
  if (ofFact === undefined) return itself;
  const gathers = sql`${FILTERED.concept.number} in (select ${facts.clusterId} from ${FILTERED.fact.from} where ${ofFact})`;
  return itself === undefined ? gathers : sql`(${itself} or ${gathers})`;
}

/** With the values themselves, for a query that is composed for one call. */
function writtenOut({ part: { values, form = "" } }: GivenPart): BoundValues {
  return {
    form,
    finds: "all",
    one: (name) => sql`${values[name]}`,
    many: (name) => textSet([values[name] ?? []].flat().map(String)),
  };
}
