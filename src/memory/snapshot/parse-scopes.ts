import { type CairnError, invalidInput, isCairnError } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { shorten } from "../../shared/text.ts";
import type { Scope } from "./define-scope.ts";
import { splitScopes } from "./split-scopes.ts";

export interface ParsedScope {
  readonly key: string;
  readonly scope: Scope;
  readonly argument: string;
}

export interface FaultyScope {
  readonly key: string;
  readonly error: CairnError;
}

/**
 * Scopes given as one text (see `splitScopes`) or one by one in an array. A scope that is wrong
 * does not keep the others from being answered. The same key twice counts once.
 */
export function parseScopes(
  scopes: string | readonly string[],
  known: readonly Scope[],
): (ParsedScope | FaultyScope)[] {
  const keys = typeof scopes === "string" ? splitScopes(scopes, known) : scopes;
  return [...new Set(keys)].map((key) => parseScope(key, known));
}

function parseScope(key: string, known: readonly Scope[]): ParsedScope | FaultyScope {
  try {
    return { key, ...interpret(key.trim(), known) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key, error };
  }
}

function interpret(text: string, known: readonly Scope[]): Omit<ParsedScope, "key"> {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const given = colon < 0 ? undefined : text.slice(colon + 1).trim();
  const scope = known.find((it) => it.name === name);
  if (scope === undefined) throw invalidInput(unknownScope(name, known));
  const { argument } = scope;
  if (given !== undefined && argument === undefined) {
    throw invalidInput(`The scope ${name} takes nothing after its name. Write ${name}.`);
  }
  const mustBeGiven = argument !== undefined && argument.optional !== true;
  if (given === "" || (given === undefined && mustBeGiven)) {
    throw invalidInput(`The scope ${name} is incomplete. Write ${usageOf(scope)}.`);
  }
  if (given !== undefined) argument?.check?.(given);
  return { scope, argument: given ?? "" };
}

/** `recent:<n>`, or both ways where the argument may be left out. */
function usageOf({ name, argument }: Scope): string {
  if (argument === undefined) return name;
  const full = `${name}:${argument.form}`;
  return argument.optional ? `${name} or ${full}` : full;
}

function unknownScope(name: string, known: readonly Scope[]): string {
  const shown = JSON.stringify(shorten(name, 60));
  const names = known.map((scope) => scope.name);
  return `Unknown scope ${shown}.${didYouMean(name, names)}`;
}
