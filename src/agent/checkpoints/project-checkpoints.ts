import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { BlobStore } from "./blob-store.ts";
import type { TreeState } from "./tree-state.ts";
import { readTurns, type TurnRecord } from "./turn-record.ts";
import { type TreeBudget, WorkTree } from "./work-tree.ts";

export const DEFAULT_BUDGET: TreeBudget = { files: 50_000, bytes: 512 * 1024 * 1024 };
const KEPT_UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Copies of the files of one project: `<data dir>/checkpoints/<project hash>/`. */
export class ProjectCheckpoints {
  readonly root: string;
  readonly store: BlobStore;
  readonly #folder: string;
  readonly #budget: TreeBudget;
  readonly #tree: WorkTree;
  /** One look after the other: both would read and copy the same. */
  #last: Promise<unknown> = Promise.resolve();
  #isOverBudget = false;
  #wasTold = false;

  constructor(options: {
    readonly root: string;
    readonly dataDir: string;
    readonly budget?: TreeBudget;
  }) {
    const { dataDir, budget = DEFAULT_BUDGET } = options;
    // Tools name files by their real paths.
    const root = existsSync(options.root) ? realpathSync(options.root) : options.root;
    const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
    this.root = root;
    this.#budget = budget;
    this.#folder = join(dataDir, "checkpoints", hash);
    this.store = new BlobStore(join(this.#folder, "blobs"));
    const indexFile = join(this.#folder, "index.json");
    this.#tree = new WorkTree({ root, store: this.store, budget, indexFile });
  }

  turnsFile(threadId: string): string {
    return join(this.#folder, "turns", `${threadId}.json`);
  }

  /** Whether another look costs milliseconds. */
  get isTreeKnown(): boolean {
    return this.#tree.isKnown;
  }

  /** Undefined where the project is too large. */
  look(): Promise<TreeState | undefined> {
    const looked = this.#last.then(async () => {
      if (this.#isOverBudget) return undefined;
      const state = await this.#tree.look();
      this.#isOverBudget = state === undefined;
      return state;
    });
    this.#last = looked.catch(() => undefined);
    return looked;
  }

  /** Once: what cannot be taken back in this project. */
  takeNotice(): string | undefined {
    if (!this.#isOverBudget || this.#wasTold) return undefined;
    this.#wasTold = true;
    return (
      `The project has more than ${this.#budget.files} files: /undo takes back edits, but not what ` +
      "commands change."
    );
  }

  /** Keeps what is known of the files for the next start, and lets go of the system's watches. */
  async close(): Promise<void> {
    await this.#last;
    this.#tree.close();
    this.#removeUnused();
  }

  /** Contents that neither a turn nor a file has any more go after a week. */
  #removeUnused(): void {
    const used = new Set([...this.#allTurns().flatMap(hashesOf), ...this.#tree.hashes()]);
    this.store.removeUnused(used, KEPT_UNUSED_MS);
  }

  #allTurns(): readonly TurnRecord[] {
    const folder = join(this.#folder, "turns");
    try {
      return readdirSync(folder).flatMap((name) => readTurns(join(folder, name)));
    } catch {
      return [];
    }
  }
}

function hashesOf({ files }: TurnRecord): string[] {
  return files.flatMap(({ before, after }) =>
    [before, after].flatMap((copy) => (copy !== null && "hash" in copy ? [copy.hash] : [])),
  );
}
