import {
  addPaths,
  bestMatches,
  createPathIndex,
  type Found,
  searchPaths,
} from "../../shared/fuzzy-match.ts";
import { listProjectPaths } from "../../shared/list-project-paths.ts";
import { findPathQuery, offerPaths, type PathQuery } from "../completion/complete-path.ts";
import type { Completion } from "../completion/completion.ts";
import type { Editor } from "../editor/editor.ts";

const PATHS_KEPT_MS = 30_000;
const MAX_OFFERED = 50;
/** Resources of servers among them. */
const MAX_SERVED = 5;
/** Paths searched between two looks at the clock. */
const SLICE = 2_000;
/** After so long the best so far is shown, and the search goes on; milliseconds. */
const FIRST_OFFERS_MS = 12;

export interface PathCompleterOptions {
  readonly root: string;
  readonly now: () => number;
  readonly editor: () => Editor;
  /** What else can be mentioned: `server:uri`. */
  readonly resources: () => readonly string[];
  readonly show: (completion: Completion | undefined) => void;
}

export class PathCompleter {
  readonly #options: PathCompleterOptions;
  #index = createPathIndex();
  #listedAt = Number.NEGATIVE_INFINITY;
  #isListing = false;
  #query: PathQuery | undefined;
  #last: { readonly typed: string; readonly found: Found; readonly size: number } | undefined;
  #turn = 0;

  constructor(options: PathCompleterOptions) {
    this.#options = options;
  }

  offer(query: PathQuery): void {
    this.#query = query;
    this.#listAgain();
    void this.#search();
  }

  #listAgain(): void {
    const { now, root } = this.#options;
    if (this.#isListing || now() - this.#listedAt <= PATHS_KEPT_MS) return;
    this.#isListing = true;
    const fresh = createPathIndex();
    const isFirst = this.#index.paths.length === 0;
    if (isFirst) this.#index = fresh;
    void listProjectPaths(root, (paths) => {
      addPaths(fresh, paths);
      if (isFirst) void this.#search();
    }).then(() => {
      this.#isListing = false;
      this.#listedAt = now();
      this.#index = fresh;
      this.#last = undefined;
      void this.#search();
    });
  }

  async #search(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const query = this.#query;
    if (query === undefined) return;
    const index = this.#index;
    const size = index.paths.length;
    const last = this.#last;
    const goesOn = last !== undefined && last.size === size && query.typed.startsWith(last.typed);
    const among = goesOn ? last.found.positions : undefined;
    const found: Found = { positions: [], best: [] };
    const end = among?.length ?? size;
    let shownAt = performance.now();
    for (let from = 0; from < end; from += SLICE) {
      const slice = {
        from,
        to: Math.min(end, from + SLICE),
        ...(among !== undefined && { among }),
      };
      searchPaths(index, query.typed, { slice, found, most: MAX_OFFERED });
      if (performance.now() - shownAt < FIRST_OFFERS_MS) continue;
      this.#show(query, found);
      await new Promise((resolve) => setImmediate(resolve));
      if (turn !== this.#turn) return;
      shownAt = performance.now();
    }
    this.#last = { typed: query.typed, found, size };
    if (!this.#isListing || found.best.length > 0) this.#show(query, found);
  }

  /** Not where something else is typed by now. */
  #show(query: PathQuery, { best }: Found): void {
    const { text, cursor } = this.#options.editor();
    const current = findPathQuery(text, cursor);
    if (current?.typed !== query.typed || current.from !== query.from) return;
    const { resources, show } = this.#options;
    const served = bestMatches(resources(), query.typed, MAX_SERVED);
    const paths = best.map(({ path }) => path);
    show(offerPaths(current, query.typed === "" ? [...paths, ...served] : [...served, ...paths]));
  }
}
