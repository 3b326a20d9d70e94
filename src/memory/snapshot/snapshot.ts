import { sideBySide } from "../../database/index.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { givesNone } from "../filters/filter-fields.ts";
import type { GivenFilter } from "../filters/resolve-filter.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { SectionFilter } from "./define-scope.ts";
import type { FaultyScope, ParsedScope } from "./parse-scopes.ts";

/** A scope with what its `prepare` returned; one that is wrong or could not be prepared. */
export type PreparedSection = (ParsedScope & { readonly prepared: unknown }) | FaultyScope;

/** The work of those scopes that need a model, before the transaction. */
export async function prepareSections(
  context: PrepareContext,
  scopes: readonly (ParsedScope | FaultyScope)[],
  given: GivenFilter,
): Promise<readonly PreparedSection[]> {
  const sections: PreparedSection[] = [];
  for (const parsed of scopes) sections.push(await prepareSection(context, parsed, given));
  return sections;
}

async function prepareSection(
  context: PrepareContext,
  parsed: ParsedScope | FaultyScope,
  given: GivenFilter,
): Promise<PreparedSection> {
  if ("error" in parsed) return parsed;
  try {
    requireNarrowing(parsed, given);
    return { ...parsed, prepared: await parsed.scope.prepare?.(context, parsed.argument, given) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key: parsed.key, error };
  }
}

function requireNarrowing({ scope: { name, narrows } }: ParsedScope, given: GivenFilter): void {
  if (narrows === "records" || givesNone(given)) return;
  throw invalidInput(
    `The scope ${name} takes no filter: ${narrows.nothing}. Ask for it in a snapshot without filters.`,
  );
}

export async function takeSnapshot(
  context: WriteContext,
  prepared: readonly PreparedSection[],
  filter: SectionFilter,
): Promise<Record<string, Record<string, unknown>>> {
  const { tx } = context;
  const sections = await sideBySide(
    tx,
    prepared.map((section) => async () => ({ ...(await readSection(context, section, filter)) })),
  );
  return Object.fromEntries(prepared.map(({ key }, place) => [key, sections[place] ?? {}]));
}

async function readSection(
  context: WriteContext,
  section: PreparedSection,
  filter: SectionFilter,
): Promise<object> {
  if ("error" in section) return { error: section.error.toBody() };
  const { scope, argument, prepared } = section;
  try {
    return await scope.read(context, argument, prepared, filter);
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { error: error.toBody() };
  }
}
