import type { z } from "zod";
import { isPlainObject, jsonIn } from "../../shared/json.ts";
import type { Tool } from "./define-tool.ts";

/**
 * The arguments of a call as the schema of its tool has them. Forms that models send in place of
 * them are understood where nothing else can be meant: fields under the names of other tools, lists
 * and numbers as JSON text, one item in place of a list of one.
 */
export function readInput(
  tool: Pick<Tool, "input" | "aliases">,
  given: unknown,
): z.ZodSafeParseResult<Record<string, unknown>> {
  let input = withKnownNames(given, tool.aliases ?? {});
  for (let attempt = 0; ; attempt += 1) {
    const read = tool.input.safeParse(input);
    if (read.success || attempt === MAX_ATTEMPTS) return read;
    const amended = amend(input, read.error.issues);
    if (amended === undefined) return read;
    input = amended;
  }
}

/** A list as text, of items as text. */
const MAX_ATTEMPTS = 3;

function withKnownNames(given: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (!isPlainObject(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => {
    const name = aliases[key];
    return [name !== undefined && !(name in given) ? name : key, value];
  });
  return Object.fromEntries(entries);
}

type Issue = z.core.$ZodIssue;

/** The input with each value replaced that has another type than it should; undefined: none could. */
function amend(input: unknown, issues: readonly Issue[]): unknown {
  let amended = input;
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const value = valueAt(amended, issue.path);
    const better = asType(value, issue.expected);
    if (better !== undefined) amended = replaceAt(amended, issue.path, better);
  }
  return amended === input ? undefined : amended;
}

function asType(value: unknown, expected: string): unknown {
  if (typeof value === "string") {
    const parsed = jsonIn(value);
    if (typeOf(parsed) === (expected === "int" ? "number" : expected)) return parsed;
    return expected === "array" && isPlainObject(parsed) ? [parsed] : undefined;
  }
  return expected === "array" && isPlainObject(value) ? [value] : undefined;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}

function replaceAt(input: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = replaceAt((input as Record<PropertyKey, unknown>)[key], rest, value);
  if (Array.isArray(input)) return input.with(Number(key), inner);
  return { ...(input as Record<PropertyKey, unknown>), [key]: inner };
}
