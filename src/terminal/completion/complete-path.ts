import type { Completion } from "./completion.ts";

export interface PathQuery {
  /** What stands after the `@`. */
  readonly typed: string;
  /** Position of the `@`. */
  readonly from: number;
  readonly to: number;
}

/** The `@` word that the cursor stands in, at the start of the text or after a space. */
export function findPathQuery(text: string, cursor: number): PathQuery | undefined {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - 512), cursor));
  if (match === null) return undefined;
  const typed = match[1] ?? "";
  return { typed, from: cursor - typed.length - 1, to: cursor };
}

/** The paths that were found, best first, as completions. */
export function offerPaths(query: PathQuery, paths: readonly string[]): Completion | undefined {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === query.typed)) return undefined;
  const items = paths.map((path) => ({
    insert: path.endsWith("/") ? `@${path}` : `@${path} `,
    label: path,
    detail: "",
    isWhole: false,
  }));
  return { items, selected: 0, from: query.from, to: query.to };
}
