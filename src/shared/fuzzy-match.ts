export interface PathIndex {
  readonly paths: string[];
  readonly lower: string[];
  /** Bit set of letters and digits, per path. */
  readonly characterBits: number[];
}

export function createPathIndex(): PathIndex {
  return { paths: [], lower: [], characterBits: [] };
}

export function addPaths(index: PathIndex, paths: readonly string[]): void {
  for (const path of paths) {
    const lower = path.toLowerCase();
    index.paths.push(path);
    index.lower.push(lower);
    index.characterBits.push(characterBits(lower));
  }
}

export interface Match {
  readonly path: string;
  readonly score: number;
}

export interface SearchSlice {
  /** Index positions to search; default: all. */
  readonly candidates?: readonly number[];
  readonly from: number;
  readonly to: number;
}

export interface SearchProgress {
  /** Positions of all matching paths, in order. */
  readonly positions: number[];
  /** Up to `most` matches, best first. */
  readonly best: Match[];
}

/**
 * Searches a slice and adds matches to `found`. A path matches if it contains every typed character
 * in order.
 */
export function searchPaths(
  index: PathIndex,
  typed: string,
  { slice, found, limit }: { slice: SearchSlice; found: SearchProgress; limit: number },
): void {
  const query = typed.toLowerCase();
  const bits = characterBits(query);
  for (let at = slice.from; at < slice.to; at += 1) {
    const position = slice.candidates?.[at] ?? at;
    if (((index.characterBits[position] ?? 0) & bits) !== bits) continue;
    const score = scorePath(index.lower[position] ?? "", query);
    if (score === undefined) continue;
    found.positions.push(position);
    insertBest(found.best, { path: index.paths[position] ?? "", score }, limit);
  }
}

/** Returns matches, best first; all items in order for an empty query. */
export function bestMatches(
  texts: readonly string[],
  typed: string,
  limit: number,
): readonly string[] {
  if (typed === "") return texts.slice(0, limit);
  const index = createPathIndex();
  addPaths(index, texts);
  const found: SearchProgress = { positions: [], best: [] };
  searchPaths(index, typed, { slice: { from: 0, to: texts.length }, found, limit });
  return found.best.map(({ path }) => path);
}

/** Characters other than letters and digits share one bit. */
function characterBits(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + (code % 5));
  }
  return bits;
}

/** Higher is better; undefined if there is no match. Ties favor shorter paths. */
function scorePath(path: string, query: string): number | undefined {
  if (query === "") return -countFolders(path) * 100 - path.length;
  const nameStart = path.lastIndexOf("/", path.length - 2) + 1;
  const exactIndex = path.indexOf(query, nameStart);
  if (path.startsWith(query)) return 4_000 - path.length;
  if (exactIndex === nameStart) return 3_500 - path.length;
  if (exactIndex !== -1) return 3_000 - path.length;
  if (path.includes(query)) return 2_500 - path.length;
  return scoreScattered(path, query, nameStart);
}

/** Scores scattered matches; characters at word starts and adjacent ones count more. */
function scoreScattered(path: string, query: string, nameStart: number): number | undefined {
  // Prefer a match within the file name.
  const start = isScattered(path, query, nameStart) ? nameStart : 0;
  let score = start === nameStart ? 500 : 0;
  let last = start - 2;
  let at = start - 1;
  for (const character of query) {
    at = path.indexOf(character, at + 1);
    if (at === -1) return undefined;
    if (at === last + 1) score += 20;
    if (at === 0 || /[/._\- ]/.test(path[at - 1] ?? "")) score += 30;
    last = at;
  }
  return score - path.length;
}

function isScattered(path: string, query: string, from: number): boolean {
  let at = from - 1;
  for (const character of query) {
    at = path.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function insertBest(best: Match[], match: Match, limit: number): void {
  if (best.length === limit && match.score <= (best.at(-1)?.score ?? 0)) return;
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((best[middle]?.score ?? 0) >= match.score) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, match);
  if (best.length > limit) best.pop();
}

function countFolders(path: string): number {
  let depth = 0;
  for (
    let at = path.indexOf("/");
    at !== -1 && at < path.length - 1;
    at = path.indexOf("/", at + 1)
  ) {
    depth += 1;
  }
  return depth;
}
