import { sideBySide } from "../../database/index.ts";
import { isCairnError } from "../../kernel/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { FaultyScope, ParsedScope } from "./parse-scopes.ts";

/** A scope with what its `prepare` returned; one that is wrong or could not be prepared. */
export type PreparedSection = (ParsedScope & { readonly prepared: unknown }) | FaultyScope;

/** The work of those scopes that need a model, before the transaction. */
export async function prepareSections(
  context: PrepareContext,
  scopes: readonly (ParsedScope | FaultyScope)[],
): Promise<readonly PreparedSection[]> {
  const sections: PreparedSection[] = [];
  for (const parsed of scopes) sections.push(await prepareSection(context, parsed));
  return sections;
}

async function prepareSection(
  context: PrepareContext,
  parsed: ParsedScope | FaultyScope,
): Promise<PreparedSection> {
  if ("error" in parsed) return parsed;
  try {
    return { ...parsed, prepared: await parsed.scope.prepare?.(context, parsed.argument) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key: parsed.key, error };
  }
}

/** A section for each scope, keyed exactly as asked for; one that fails holds its error. */
export async function takeSnapshot(
  context: WriteContext,
  prepared: readonly PreparedSection[],
): Promise<Record<string, Record<string, unknown>>> {
  const { tx } = context;
  const sections = await sideBySide(
    tx,
    prepared.map((section) => async () => ({ ...(await readSection(context, section)) })),
  );
  return Object.fromEntries(prepared.map(({ key }, place) => [key, sections[place] ?? {}]));
}

async function readSection(context: WriteContext, section: PreparedSection): Promise<object> {
  if ("error" in section) return { error: section.error.toBody() };
  const { scope, argument, prepared } = section;
  try {
    return await scope.read(context, argument, prepared);
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { error: error.toBody() };
  }
}
