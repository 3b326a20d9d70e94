import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { LineWriters, WrittenLine } from "../ports/checkpoint.ts";
import { BlobStore } from "./blob-store.ts";
import { changesSince } from "./changes-since.ts";
import { TreeCache } from "./kept-trees.ts";
import { OpenTurns } from "./open-turns.ts";
import type { TreeState } from "./tree-state.ts";
import { TurnFile } from "./turn-file.ts";
import { turnOfLine } from "./turn-of-line.ts";
import { type OpenTurn, readTurns, type TurnRecord } from "./turn-record.ts";
import { hashesOf, type TreeBudget, WorkTree } from "./work-tree.ts";

export const DEFAULT_BUDGET: TreeBudget = { files: 50_000, bytes: 512 * 1024 * 1024 };
const KEPT_UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Copies of the files of one project: `<data dir>/checkpoints/<project hash>/`. */
export class ProjectCheckpoints implements LineWriters {
  readonly root: string;
  readonly store: BlobStore;
  readonly #folder: string;
  readonly #budget: TreeBudget;
  readonly #tree: WorkTree;
  /** One look after the other: both would read and copy the same. */
  #last: Promise<unknown> = Promise.resolve();
  readonly open: OpenTurns;
  readonly #trees: TreeCache;
  #finishing: Promise<void> = Promise.resolve();
  #isOverBudget = false;
  #wasTold = false;
  /** To be told at the end of the next turn. */
  readonly #notices: string[] = [];

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
    this.open = new OpenTurns(join(this.#folder, "open"), (message) => this.tell(message));
    this.#trees = new TreeCache(join(this.#folder, "trees"));
    const indexFile = join(this.#folder, "index.json");
    this.#tree = new WorkTree({ root, store: this.store, budget, indexFile });
  }

  turnsFile(threadId: string): TurnFile {
    const path = join(this.#folder, "turns", `${threadId}.json`);
    return new TurnFile(path, (message) => this.tell(message));
  }

  keepTree(state: TreeState): string {
    return this.#trees.keep(state);
  }

  /** Ends the turns of processes that are no more: what they did is what is different now. */
  finishCutOff(): Promise<void> {
    const finished = this.#finishing.then(async () => {
      for (const turn of this.open.cutOff()) await this.#finish(turn);
    });
    this.#finishing = finished.catch(() => undefined);
    return finished;
  }

  async #finish({
    open,
    owner,
    tree,
    written,
    threadId,
    linkedGit,
    ...turn
  }: OpenTurn): Promise<void> {
    const { folders } = turn;
    const state = tree === undefined ? undefined : this.#trees.read(tree);
    if (tree !== undefined && state === undefined) {
      this.tell(`What the commands of "${turn.text}" changed is not known: /undo leaves it.`);
    }
    const mark = linkedGit === undefined ? {} : { linkedGit };
    const { files, movedGit } = await changesSince(this, { written, folders, state, ...mark });
    const commands = tree === undefined ? {} : { commands: true };
    this.turnsFile(threadId).add({
      ...{ ...turn, files, ...commands, cutOff: true },
      ...(movedGit && { movedGit }),
    });
    this.open.remove({ turnId: turn.turnId, threadId });
  }

  tell(message: string): void {
    this.#notices.push(message);
  }

  /** True if another look costs milliseconds. */
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

  /** Once each: what cannot be taken back in this project. */
  takeNotice(): string | undefined {
    const notice = this.#overBudget();
    if (notice !== undefined) this.#notices.push(notice);
    return this.#notices.length === 0 ? undefined : this.#notices.splice(0).join("\n");
  }

  #overBudget(): string | undefined {
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

  writerOf(line: WrittenLine): ReturnType<LineWriters["writerOf"]> {
    const folder = join(this.#folder, "turns");
    if (!existsSync(folder)) return undefined;
    const turns = readdirSync(folder).flatMap((name) => {
      const threadId = name.replace(/\.json$/, "");
      return this.turnsFile(threadId)
        .read()
        .map((turn) => ({ threadId, turn }));
    });
    const found = turnOfLine(turns, this.store, line);
    if (found === undefined) return undefined;
    return { session: found.threadId, at: found.turn.at, prompt: found.turn.text };
  }

  /** Contents that neither a turn nor a file has any more go after a week. */
  #removeUnused(): void {
    const open = this.open.all();
    const trees = this.#trees.keepOnly(new Set(open.flatMap(({ tree }) => tree ?? [])));
    const turns = this.#allTurns();
    if (turns === undefined || trees === undefined) return;
    const before = open.flatMap(({ written }) => written.map((one) => one.before));
    const changes = turns.flatMap(({ files }) => files.flatMap((one) => [one.before, one.after]));
    const copies = [...before, ...changes].flatMap((copy) =>
      copy !== null && "hash" in copy ? [copy.hash] : [],
    );
    const used = new Set([...copies, ...trees.flatMap(hashesOf), ...this.#tree.hashes()]);
    this.store.removeUnused(used, KEPT_UNUSED_MS);
  }

  #allTurns(): readonly TurnRecord[] | undefined {
    const folder = join(this.#folder, "turns");
    if (!existsSync(folder)) return [];
    try {
      return readdirSync(folder).flatMap((name) => readTurns(join(folder, name)));
    } catch {
      return undefined;
    }
  }
}
