import ignore from "ignore";
import { invalidInput } from "../../shared/errors.ts";

const MAX_ALTERNATIVES = 1_000;

/**
 * Matches paths relative to the searched folder, as ripgrep's `-g`: without a slash a name at any
 * depth, `**` any folders, `{a,b}` either.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const matcher = ignore().add(expandBraces(pattern.replace(/^\.\//, "")));
  return (path) => matcher.ignores(path);
}

/** Takes brackets literally, as in `app/[id]`; undefined without brackets. */
export function literalBrackets(pattern: string): string | undefined {
  const literal = pattern.replaceAll(/(?<!\\)[[\]]/g, "\\$&");
  return literal === pattern ? undefined : literal;
}

/** `a.{ts,js}` becomes `a.ts` and `a.js`; braces may be nested. Throws invalid_input. */
export function expandBraces(pattern: string): string[] {
  let patterns = new Set([pattern]);
  for (;;) {
    const expanded = new Set([...patterns].flatMap(expandInnermost));
    if (expanded.size > MAX_ALTERNATIVES) {
      throw invalidInput(`pattern: its braces expand to more than ${MAX_ALTERNATIVES} patterns.`);
    }
    if (expanded.size === patterns.size && [...expanded].every((one) => patterns.has(one))) {
      return [...expanded];
    }
    patterns = expanded;
  }
}

function expandInnermost(pattern: string): string[] {
  const match = /\{([^{}]*)\}/.exec(pattern);
  if (match === null) return [pattern];
  const before = pattern.slice(0, match.index);
  const after = pattern.slice(match.index + match[0].length);
  return (match[1] ?? "").split(",").map((choice) => before + choice + after);
}
