import { bestMatches } from "../../shared/fuzzy-match.ts";
export interface PathQuery {
  readonly typed: string;
  readonly from: number;
  readonly to: number;
}

export function findPathQuery(text: string, cursor: number): PathQuery | undefined {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(Math.max(0, cursor - 512), cursor));
  if (match === null) return undefined;
  const typed = match[1] ?? "";
  return { typed, from: cursor - typed.length - 1, to: cursor };
}

export function completePaths(query: PathQuery, paths: readonly string[]): Completion | undefined {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === query.typed)) return undefined;
  const items = paths.map((path) => ({
    insert: path.endsWith("/") ? `@${path}` : `@${path} `,
    label: path,
    detail: "",
    isWhole: false,
  }));
  return { items, selected: 0, from: query.from, to: query.to };
}

export interface Completion {
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** Start of the replaced text. */
  readonly from: number;
  readonly to: number;
}

export interface CompletionItem {
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
  readonly isWhole: boolean;
}

export interface ModelQuery {
  readonly typed: string;
  readonly from: number;
}

export function findModelQuery(text: string, cursor: number): ModelQuery | undefined {
  const match = /^\/model\s+(\S*)$/.exec(text);
  if (match === null || cursor !== text.length) return undefined;
  const typed = match[1] ?? "";
  return { typed, from: text.length - typed.length };
}

const MAX_COMPLETIONS = 50;

/** Fuzzy-matches names, best first; undefined if none is left. */
export function completeModels(
  { typed, from }: ModelQuery,
  names: readonly string[],
): Completion | undefined {
  const found = bestMatches(names, typed, MAX_COMPLETIONS);
  if (found.length === 0 || (found.length === 1 && found[0] === typed)) return undefined;
  const items = found.map((name) => ({ insert: name, label: name, detail: "", isWhole: true }));
  return { items, selected: 0, from, to: from + typed.length };
}
