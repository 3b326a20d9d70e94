import { isPlainObject } from "../../shared/json.ts";

/** Inside of words, these are replaced when the command runs, by what nobody knows before. */
const EXPANSIONS = new Set([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
  "ProcessSubstitution",
  "LocaleString",
]);
const REWRITTEN = new Set(["BraceExpansion", "ExtendedGlob"]);

/** What the word stands for, or undefined where that is known at run time only. */
export function staticText(word: unknown): string | undefined {
  if (!isPlainObject(word)) return undefined;
  return holds(word, EXPANSIONS) ? undefined : (field(word, "value") ?? field(word, "text"));
}

export function rawText(word: unknown): string {
  return isPlainObject(word) ? (field(word, "text") ?? "$") : "$";
}

export function isKnownAtRunTime(word: unknown): boolean {
  return holds(word, EXPANSIONS) || holds(word, REWRITTEN);
}

/** True if the shell looks for files by it: `*.ts` without quotes. */
export function isFoundByFiles(word: unknown): boolean {
  if (!isPlainObject(word)) return false;
  return holds(word, new Set(["Glob"])) || (word.parts === undefined && isBareGlob(rawText(word)));
}

function isBareGlob(raw: string): boolean {
  return /[*?]|\[.*\]/.test(raw.replaceAll(/\\./g, ""));
}

function holds(node: unknown, types: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((one) => holds(one, types));
  if (!isPlainObject(node)) return false;
  if (types.has(String(node.type))) return true;
  return Object.values(node).some((value) => holds(value, types));
}

function field(node: Record<string, unknown>, name: string): string | undefined {
  const value = node[name];
  return typeof value === "string" ? value : undefined;
}
