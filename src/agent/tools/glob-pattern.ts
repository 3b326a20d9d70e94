import ignore from "ignore";

/**
 * A matcher for paths relative to the folder that is searched. Patterns read as in ripgrep's `-g`:
 * without a slash they match a name at any depth, `**` any folders, `{a,b}` either.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const matcher = ignore().add(expandBraces(pattern.replace(/^\.\//, "")));
  return (path) => matcher.ignores(path);
}

/** `a.{ts,js}` becomes `a.ts` and `a.js`; braces may be nested. */
export function expandBraces(pattern: string): string[] {
  const open = innermostOpen(pattern);
  if (open === undefined) return [pattern];
  const close = pattern.indexOf("}", open);
  const before = pattern.slice(0, open);
  const after = pattern.slice(close + 1);
  const choices = pattern.slice(open + 1, close).split(",");
  return choices.flatMap((choice) => expandBraces(before + choice + after));
}

/** Index of the last `{` before the first `}` that follows one. */
function innermostOpen(pattern: string): number | undefined {
  const match = /\{[^{}]*\}/.exec(pattern);
  return match?.index;
}
