import { type CairnError, invalidInput, isCairnError } from "../../kernel/errors.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import { parseInteger } from "../../kernel/strict-scalars.ts";
import { parseLabel } from "../input/parse-labels.ts";
import { isScopeName, SCOPE_NAMES, type ScopeName } from "./scope-names.ts";
import { splitScopes } from "./split-scopes.ts";

export interface ParsedScope {
  /** Exactly as asked for: the key of its section in the snapshot. */
  readonly key: string;
  readonly scope: ScopeName;
  /** What follows the colon; checked to be a number or a label where the scope wants one. */
  readonly argument: string | undefined;
}

export interface FaultyScope {
  readonly key: string;
  readonly error: CairnError;
}

/**
 * Scopes given as one text (see `splitScopes`) or one by one in an array. A scope that is wrong
 * does not keep the others from being answered. The same key twice counts once.
 */
export function parseScopes(scopes: string | readonly string[]): (ParsedScope | FaultyScope)[] {
  const keys = typeof scopes === "string" ? splitScopes(scopes) : scopes;
  return [...new Set(keys)].map(parseScope);
}

function parseScope(key: string): ParsedScope | FaultyScope {
  try {
    return { key, ...interpret(key.trim()) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { key, error };
  }
}

function interpret(text: string): Omit<ParsedScope, "key"> {
  const colon = text.indexOf(":");
  const scope = colon < 0 ? text : text.slice(0, colon);
  const argument = colon < 0 ? undefined : text.slice(colon + 1).trim();
  if (!isScopeName(scope)) throw invalidInput(unknownScope(scope));
  const wants = SCOPE_NAMES[scope];
  if (argument !== undefined && wants === "never") {
    throw invalidInput(`The scope ${scope} takes nothing after its name. Write ${scope}.`);
  }
  if (argument === "" || (argument === undefined && wants === "required")) {
    throw invalidInput(`The scope ${scope} is incomplete. Write ${EXAMPLES[scope]}.`);
  }
  if (argument !== undefined) checkArgument(scope, argument);
  return { scope, argument };
}

const EXAMPLES: Readonly<Record<ScopeName, string>> = {
  pending: "pending",
  conflicts: "conflicts",
  labels: "labels",
  stats: "stats",
  events: "events or events:<since_seq>",
  bootstrap: "bootstrap or bootstrap:<n>",
  entity: "entity:<type>:<name>",
  label: "label:<key>=<value>",
  concept: "concept:<id>",
  recent: "recent:<n>",
  query: "query:<text>",
  topic: "topic:<id>",
};

function checkArgument(scope: ScopeName, argument: string): void {
  if (scope === "label") parseLabel(argument);
  if (scope === "events" || scope === "bootstrap") checkCount(scope, argument, 0);
  if (scope === "recent") checkCount(scope, argument, 1);
}

function checkCount(scope: ScopeName, argument: string, least: number): void {
  if (parseInteger(argument, scope) >= least) return;
  throw invalidInput(`${scope} must be at least ${least}, not ${argument}.`);
}

function unknownScope(scope: string): string {
  const shown = JSON.stringify(scope.length > 60 ? `${scope.slice(0, 60)}…` : scope);
  return `Unknown scope ${shown}.${didYouMean(scope, Object.keys(SCOPE_NAMES))}`;
}
