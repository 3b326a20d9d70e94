import {
  addPaths,
  bestMatches,
  createPathIndex,
  type SearchProgress,
  searchPaths,
} from "../../shared/fuzzy-match.ts";
import { listProjectPaths } from "../../shared/list-project-paths.ts";

const CACHE_TTL_MS = 30_000;

export class ProjectPaths {
  readonly #root: string;
  readonly #now: () => number;
  #listing: Promise<readonly string[]> | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(root: string, now: () => number) {
    this.#root = root;
    this.#now = now;
  }

  /** Relative to the root, folders with a trailing slash; at most `most`, best first. */
  async find(typed: string, limit: number): Promise<readonly string[]> {
    if (this.#listing === undefined || this.#now() - this.#listedAt > CACHE_TTL_MS) {
      this.#listedAt = this.#now();
      this.#listing = listAll(this.#root);
    }
    return takeBest(await this.#listing, typed, limit);
  }
}

async function listAll(root: string): Promise<readonly string[]> {
  const all: string[] = [];
  await listProjectPaths(root, (paths) => {
    for (const path of paths) all.push(path);
  });
  return all;
}

/** Unlike `bestMatches`, an empty query returns the paths nearest to the root first. */
function takeBest(paths: readonly string[], typed: string, limit: number): readonly string[] {
  if (typed !== "") return bestMatches(paths, typed, limit);
  const index = createPathIndex();
  addPaths(index, paths);
  const found: SearchProgress = { positions: [], best: [] };
  searchPaths(index, typed, { slice: { from: 0, to: paths.length }, found, limit });
  return found.best.map(({ path }) => path);
}
