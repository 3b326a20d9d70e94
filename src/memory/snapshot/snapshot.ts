import { readConcurrently } from "../../database/index.ts";
import { type CairnError, invalidInput, isCairnError } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { shorten } from "../../shared/text.ts";
import type { WriteContext } from "../context/write-context.ts";
import { givesNone } from "../filters/filter-condition.ts";
import type { FilterInput } from "../filters/resolve-filter.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { Scope, SectionFilter } from "./define-scope.ts";

/**
 * Splits a snapshot's scopes, unquoted and in order. Commas and white space separate. Long
 * arguments (of `query:` until a comma, of `label:` until a comma or white space) end where a known
 * scope follows. Quotes group at the start of a scope and after a colon; elsewhere they are literal
 * (`person:O'Brien`).
 */
function splitScopes(text: string, known: readonly Scope[]): string[] {
  const grammar = createGrammar(known);
  const scopes: string[] = [];
  let rest = text.replace(SCOPE_SEPARATORS, "");
  while (rest !== "") {
    const { scope, length } =
      readGrouped(rest, grammar) ?? readUnquotedArgument(rest, grammar) ?? readWord(rest);
    scopes.push(scope);
    rest = rest.slice(length).replace(SCOPE_SEPARATORS, "");
  }
  return scopes;
}

interface Piece {
  readonly scope: string;
  readonly length: number;
}

interface Grammar {
  readonly grouped: RegExp;
  readonly runOnEnds: ReadonlyMap<string, RegExp>;
}

const QUOTED_ARGUMENT = `"(?:[^"\\\\]|\\\\[^])*"|'[^']*'`;
const SCOPE_SEPARATORS = /^[\s,]+/;

function createGrammar(scopes: readonly Scope[]): Grammar {
  const alone = scopes.filter(({ argument }) => argument === undefined || argument.optional);
  const followed = scopes.filter(({ argument }) => argument !== undefined);
  const alternation = (some: readonly Scope[]) => some.map(({ name }) => name).join("|");
  const known = `["']?(?:(?:${alternation(alone)})(?=[\\s,"']|$)|(?:${alternation(followed)}):)`;
  const ends = {
    comma: new RegExp(`,\\s*(?=${known})`),
    commaOrSpace: new RegExp(`(?:,\\s*|\\s)(?=${known})`),
  };
  return {
    grouped: new RegExp(`^((?:[a-z]+:)*)(${QUOTED_ARGUMENT})(?=\\s*(?:,|$)|\\s+${known})`),
    runOnEnds: new Map(
      followed.flatMap(({ name, argument }) =>
        argument?.runsOnUntil === undefined ? [] : [[name, ends[argument.runsOnUntil]] as const],
      ),
    ),
  };
}

/** Quotes delimit the argument: `"label:a=b c"`, `query:"a, pending"`. */
function readGrouped(text: string, { grouped }: Grammar): Piece | undefined {
  const [matched, prefix = "", quoted] = grouped.exec(text) ?? [];
  if (matched === undefined || quoted === undefined) return undefined;
  return { scope: prefix + unquote(quoted), length: matched.length };
}

function readUnquotedArgument(text: string, { runOnEnds }: Grammar): Piece | undefined {
  const end = runOnEnds.get(text.slice(0, Math.max(0, text.indexOf(":"))));
  if (end === undefined) return undefined;
  const length = end.exec(text)?.index ?? text.length;
  return { scope: text.slice(0, length).replace(/[\s,]+$/, ""), length };
}

function readWord(text: string): Piece {
  const word = new RegExp(`^(?:(?<![^:])(?:${QUOTED_ARGUMENT})|[^\\s,])+`).exec(text)?.[0] ?? text;
  const scope = word.replace(new RegExp(`(?<![^:])(?:${QUOTED_ARGUMENT})`, "g"), unquote);
  return { scope, length: word.length };
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  return inner.replace(/\\([\\"n])/g, (_escape, char: string) => (char === "n" ? "\n" : char));
}

export type PreparedSection = (ParsedScope & { readonly prepared: unknown }) | FaultyScope;

export async function prepareSections(
  context: PrepareContext,
  scopes: readonly (ParsedScope | FaultyScope)[],
  input: FilterInput,
): Promise<readonly PreparedSection[]> {
  const sections: PreparedSection[] = [];
  for (const parsed of scopes) sections.push(await prepareSection(context, parsed, input));
  return sections;
}

async function prepareSection(
  context: PrepareContext,
  parsed: ParsedScope | FaultyScope,
  input: FilterInput,
): Promise<PreparedSection> {
  if ("error" in parsed) return parsed;
  try {
    requireNarrowing(parsed, input);
    return { ...parsed, prepared: await parsed.scope.prepare?.(context, parsed.argument, input) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key: parsed.key, error };
  }
}

function requireNarrowing({ scope: { name, filtering } }: ParsedScope, input: FilterInput): void {
  if (filtering === "records" || givesNone(input)) return;
  throw invalidInput(
    `The scope ${name} takes no filter: ${filtering.nothing}. Request it in a snapshot without filters.`,
  );
}

export async function takeSnapshot(
  context: WriteContext,
  prepared: readonly PreparedSection[],
  filter: SectionFilter,
): Promise<Record<string, Record<string, unknown>>> {
  const { tx } = context;
  const sections = await readConcurrently(
    tx,
    prepared.map((section) => async () => ({ ...(await readSection(context, section, filter)) })),
  );
  return Object.fromEntries(prepared.map(({ key }, index) => [key, sections[index] ?? {}]));
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

interface ParsedScope {
  readonly key: string;
  readonly scope: Scope;
  readonly argument: string;
}

interface FaultyScope {
  readonly key: string;
  readonly error: CairnError;
}

/** Parses a text (see `splitScopes`) or an array. Invalid scopes do not affect others. */
export function parseScopes(
  scopes: string | readonly string[],
  known: readonly Scope[],
): (ParsedScope | FaultyScope)[] {
  const keys = typeof scopes === "string" ? splitScopes(scopes, known) : scopes;
  return [...new Set(keys)].map((key) => parseScope(key, known));
}

function parseScope(key: string, known: readonly Scope[]): ParsedScope | FaultyScope {
  try {
    return { key, ...interpretScope(key.trim(), known) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key, error };
  }
}

function interpretScope(text: string, known: readonly Scope[]): Omit<ParsedScope, "key"> {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const value = colon < 0 ? undefined : text.slice(colon + 1).trim();
  const scope = known.find((it) => it.name === name);
  if (scope === undefined) throw invalidInput(unknownScopeError(name, known));
  const { argument } = scope;
  if (value !== undefined && argument === undefined) {
    throw invalidInput(`The scope ${name} takes no argument. Write ${name}.`);
  }
  const isRequired = argument !== undefined && argument.optional !== true;
  if (value === "" || (value === undefined && isRequired)) {
    throw invalidInput(`The scope ${name} is incomplete. Write ${formatUsage(scope)}.`);
  }
  if (value !== undefined) argument?.check?.(value);
  return { scope, argument: value ?? "" };
}

function formatUsage({ name, argument }: Scope): string {
  if (argument === undefined) return name;
  const full = `${name}:${argument.form}`;
  return argument.optional ? `${name} or ${full}` : full;
}

function unknownScopeError(name: string, known: readonly Scope[]): string {
  const quotedName = JSON.stringify(shorten(name, 60));
  const names = known.map((scope) => scope.name);
  return `Unknown scope ${quotedName}.${didYouMean(name, names)}`;
}
