import type { Completion } from "./completion.ts";

export interface PathQuery {
  /** What stands after the `@`. */
  readonly typed: string;
  /** Position of the `@`. */
  readonly from: number;
  readonly to: number;
}

const MOST_OFFERED = 50;

/** The `@` word that the cursor stands in, at the start of the text or after a space. */
export function findPathQuery(text: string, cursor: number): PathQuery | undefined {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - 512), cursor));
  if (match === null) return undefined;
  const typed = match[1] ?? "";
  return { typed, from: cursor - typed.length - 1, to: cursor };
}

/** Paths that contain what is typed, best first: start of the path, start of the name, anywhere. */
export function completePath(query: PathQuery, paths: readonly string[]): Completion | undefined {
  const typed = query.typed.toLowerCase();
  const ranked = paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), typed) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_OFFERED);
  if (ranked.length === 0 || (ranked.length === 1 && ranked[0]?.path === query.typed)) {
    return undefined;
  }
  const items = ranked.map(({ path }) => ({
    insert: path.endsWith("/") ? `@${path}` : `@${path} `,
    label: path,
    detail: "",
    isWhole: false,
  }));
  return { items, selected: 0, from: query.from, to: query.to };
}

function rankOf(path: string, typed: string): number {
  if (path.startsWith(typed)) return 0;
  const name = path.replace(/\/$/, "").split("/").at(-1) ?? "";
  if (name.startsWith(typed)) return 1;
  if (name.includes(typed)) return 2;
  return path.includes(typed) ? 3 : 4;
}
