import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { isCairnError, isMissingFile, messageOf, stateConflict } from "../../shared/errors.ts";
import { listFolder } from "../../shared/files.ts";
import { processIdentity } from "../../shared/process-lock.ts";
import { Journal } from "../documents/journal.ts";
import type { LineWriters, WrittenLine } from "../ports/checkpoint.ts";
import { BlobStore } from "./blob-store.ts";
import type { FileCopy, TreeState } from "./file-copy.ts";
import { protectGitObjects, releaseGitObjects } from "./git-objects.ts";
import { restoreFiles } from "./restore-files.ts";
import { TreeCache } from "./tree-index.ts";
import {
  changesSince,
  type FileChange,
  fileChange,
  type OpenTurn,
  openTurn,
  readTurns,
  type TurnRecord,
} from "./turn-record.ts";
import { hashFiles, type TreeBudget, WorkTree } from "./work-tree.ts";

/**
 * Running turns of a project, each in a file that is written before its first change, so that the
 * turn of a killed process can be undone.
 */
class OpenTurns {
  readonly #folder: string;
  readonly #notify: (message: string) => void;
  readonly #active = new Set<string>();

  constructor(folder: string, notify: (message: string) => void) {
    this.#folder = folder;
    this.#notify = notify;
  }

  write(turn: OpenTurn): void {
    this.#active.add(turn.turnId);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileAtomic.sync(this.#pathOf(turn), JSON.stringify(turn), { mode: 0o600, fsync: true });
  }

  remove(turn: Pick<OpenTurn, "turnId" | "threadId">): void {
    this.#active.delete(turn.turnId);
    rmSync(this.#pathOf(turn), { force: true });
  }

  cutOff(): readonly OpenTurn[] {
    return this.all().filter(
      ({ turnId, owner }) =>
        !this.#active.has(turnId) &&
        (owner.pid === process.pid || processIdentity(owner.pid) !== owner.identity),
    );
  }

  all(): readonly OpenTurn[] {
    return listFolder(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => this.#read(join(this.#folder, name)) ?? []);
  }

  #read(path: string): OpenTurn | undefined {
    try {
      return openTurn.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      // Another process may have ended its turn.
      if (isMissingFile(error)) return undefined;
      this.#notify(setAside(path, error));
      return undefined;
    }
  }

  #pathOf({ threadId }: Pick<OpenTurn, "threadId">): string {
    return join(this.#folder, `${threadId}.json`);
  }
}

function setAside(path: string, error: unknown): string {
  const backupPath = join(dirname(path), "..", "broken", `${Date.now()}-${path.split("/").at(-1)}`);
  mkdirSync(dirname(backupPath), { recursive: true, mode: 0o700 });
  renameSync(path, backupPath);
  const why = messageOf(error).split("\n", 1)[0] ?? "";
  return (
    `The record of changes cannot be read (${why}): its changes cannot be reverted ` +
    `with /undo. It was moved to ${backupPath}.`
  );
}

const MAX_STORED_TURNS = 50;

class TurnFile {
  readonly path: string;
  readonly #notify: (message: string) => void;

  constructor(path: string, notify: (message: string) => void) {
    this.path = path;
    this.#notify = notify;
  }

  /** Moves an unreadable file away and notifies the user. */
  read(): TurnRecord[] {
    try {
      return readTurns(this.path);
    } catch (error) {
      this.#notify(setAside(this.path, error));
      return [];
    }
  }

  add(turn: TurnRecord): void {
    const earlier = this.read().filter(
      ({ undone, turnId }) => undone === undefined && turnId !== turn.turnId,
    );
    this.write([...earlier, turn].slice(-MAX_STORED_TURNS));
  }

  write(turns: readonly TurnRecord[]): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    // Not synced: the contents that it names are.
    writeFileAtomic.sync(this.path, JSON.stringify(turns), { mode: 0o600, fsync: false });
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

interface StoredTurn {
  readonly threadId: string;
  readonly turn: TurnRecord;
}

/** A brace or a keyword is in any file and does not identify its author. */
const CONTAINS_TWO_WORDS = /[\p{L}\p{N}_][^\p{L}\p{N}_]+[\p{L}\p{N}_]/u;

/** The newest turn that added the line. */
function findTurnOfLine(
  turns: readonly StoredTurn[],
  store: BlobStore,
  { path, text }: WrittenLine,
): StoredTurn | undefined {
  if (!CONTAINS_TWO_WORDS.test(text)) return undefined;
  const containsLine = (copy: FileCopy | null) =>
    readLines(copy, store).some((line) => line.trim() === text.trim());
  return turns
    .filter(({ turn }) => turn.undone === undefined)
    .sort((a, b) => b.turn.at.localeCompare(a.turn.at))
    .find(({ turn }) =>
      turn.files.some(
        (file) => file.path === path && containsLine(file.after) && !containsLine(file.before),
      ),
    );
}

function readLines(copy: FileCopy | null, store: BlobStore): readonly string[] {
  if (copy === null || !("hash" in copy)) return [];
  try {
    return store.get(copy.hash).toString("utf8").split("\n");
  } catch (error) {
    // Unused contents were removed.
    if (isMissingFile(error)) return [];
    throw error;
  }
}

const restoreSteps = z.object({
  token: z.string(),
  /** First line of the message that is undone or redone. */
  text: z.string(),
  changes: z.array(fileChange),
  folders: z.array(z.string()),
});
type RestoreSteps = z.output<typeof restoreSteps>;

export const DEFAULT_BUDGET: TreeBudget = { files: 50_000, bytes: 512 * 1024 * 1024 };
const UNUSED_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** Stored in `<data dir>/checkpoints/<project hash>/`. */
export class ProjectCheckpoints implements LineWriters {
  readonly root: string;
  readonly store: BlobStore;
  readonly #folder: string;
  readonly #budget: TreeBudget;
  readonly #tree: WorkTree;
  /** Serialized: concurrent scans would read and copy the same files. */
  #last: Promise<unknown> = Promise.resolve();
  readonly open: OpenTurns;
  readonly #trees: TreeCache;
  readonly #restoring: Journal<RestoreSteps>;
  #finishing: Promise<void> = Promise.resolve();
  #isOverBudget = false;
  #hasReported = false;
  /** Shown at the end of the next turn. */
  readonly #notices: string[] = [];

  constructor(options: {
    readonly root: string;
    readonly dataDir: string;
    readonly budget?: TreeBudget;
  }) {
    const { dataDir, budget = DEFAULT_BUDGET } = options;
    const root = existsSync(options.root) ? realpathSync(options.root) : options.root;
    const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
    this.root = root;
    this.#budget = budget;
    this.#folder = join(dataDir, "checkpoints", hash);
    this.store = new BlobStore(join(this.#folder, "blobs"));
    this.open = new OpenTurns(join(this.#folder, "open"), (message) => this.notify(message));
    this.#trees = new TreeCache(join(this.#folder, "trees"));
    this.#restoring = new Journal(join(this.#folder, "restore.json"), restoreSteps);
    const indexFile = join(this.#folder, "index.json");
    this.#tree = new WorkTree({ root, store: this.store, budget, indexFile });
  }

  turnsFile(threadId: string): TurnFile {
    const path = join(this.#folder, "turns", `${threadId}.json`);
    return new TurnFile(path, (message) => this.notify(message));
  }

  storeTree(state: TreeState): string {
    return this.#trees.store(state);
  }

  /** Ends the turns of dead processes with the current state of the files. */
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
      this.notify(
        `Changes by the commands of "${turn.text}" were not recorded: /undo does not revert them.`,
      );
    }
    const gitOption = linkedGit === undefined ? {} : { linkedGit };
    const { files, movedGit } = await changesSince(this, { written, folders, state, ...gitOption });
    const commands = tree === undefined ? {} : { commands: true };
    this.turnsFile(threadId).add({
      ...{ ...turn, files, ...commands, cutOff: true },
      ...(movedGit && { movedGit }),
    });
    this.open.remove({ turnId: turn.turnId, threadId });
  }

  /** Protects the objects of the repository from `git gc` until the turn is released. */
  protectGit(turnId: string): Promise<void> {
    const indexCopy = join(this.#folder, `${turnId}.index`);
    return protectGitObjects(this.root, { turnId, indexCopy });
  }

  releaseGit(turnIds: readonly string[]): Promise<void> {
    return releaseGitObjects(this.root, (turnId) => !turnIds.includes(turnId));
  }

  /** Restores files as one step; `finishRestore` completes it after a crash. Throws conflict. */
  async restore(
    steps: Omit<RestoreSteps, "token" | "changes"> & { readonly changes: readonly FileChange[] },
  ): Promise<Awaited<ReturnType<typeof restoreFiles>>> {
    const { root, store } = this;
    const changes = [...steps.changes];
    const journaled = { ...steps, changes, token: randomBytes(6).toString("hex") };
    const done = await this.#restoring.runExclusively(async () => {
      this.#restoring.write(journaled);
      try {
        return await restoreFiles({ root, store, ...journaled });
      } finally {
        this.#restoring.remove();
      }
    });
    if (done !== undefined) return done.result;
    throw stateConflict("Another process is reverting changes of this project. Try again later.");
  }

  /** Completes an undo or redo of files whose process was killed. */
  async finishRestore(): Promise<void> {
    const { root, store } = this;
    await this.#restoring.finish(async (steps) => {
      try {
        const { files } = await restoreFiles({ root, store, ...steps });
        const count = files.length === 1 ? "1 file" : `${files.length} files`;
        this.notify(
          `An interrupted /undo or /redo of "${steps.text}" was finished: ${count} restored. ` +
            "Run it again for the conversation and memory.",
        );
      } catch (error) {
        if (!isCairnError(error)) throw error;
        this.notify(
          `An interrupted /undo or /redo of "${steps.text}" cannot be finished: ${error.message}`,
        );
      }
    });
  }

  notify(message: string): void {
    this.#notices.push(message);
  }

  get isTreeKnown(): boolean {
    return this.#tree.isKnown;
  }

  /** Undefined if the project is too large. */
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

  /** Returns each notice once. */
  takeNotice(): string | undefined {
    const notice = this.#overBudget();
    if (notice !== undefined) this.#notices.push(notice);
    return this.#notices.length === 0 ? undefined : this.#notices.splice(0).join("\n");
  }

  #overBudget(): string | undefined {
    if (!this.#isOverBudget || this.#hasReported) return undefined;
    this.#hasReported = true;
    return (
      `The project has more than ${this.#budget.files} files: /undo reverts edits, but not what ` +
      "commands change."
    );
  }

  async close(): Promise<void> {
    await this.#last;
    this.#tree.close();
    await this.#removeUnused();
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
    const found = findTurnOfLine(turns, this.store, line);
    if (found === undefined) return undefined;
    return { session: found.threadId, at: found.turn.at, prompt: found.turn.text };
  }

  /** Removes contents unused for a week, and references of turns that cannot be undone. */
  async #removeUnused(): Promise<void> {
    const open = this.open.all();
    const trees = this.#trees.keepOnly(new Set(open.flatMap(({ tree }) => tree ?? [])));
    const turns = this.#allTurns();
    if (turns === undefined || trees === undefined) return;
    const before = open.flatMap(({ written }) => written.map((one) => one.before));
    const changes = turns.flatMap(({ files }) => files.flatMap((one) => [one.before, one.after]));
    const copies = [...before, ...changes].flatMap((copy) =>
      copy !== null && "hash" in copy ? [copy.hash] : [],
    );
    const used = new Set([...copies, ...trees.flatMap(hashFiles), ...this.#tree.hashes()]);
    this.store.removeUnused(used, UNUSED_RETENTION_MS);
    const notUndone = turns.filter(({ undone }) => undone === undefined);
    const undoable = new Set([...open, ...notUndone].map(({ turnId }) => turnId));
    await releaseGitObjects(this.root, (turnId) => undoable.has(turnId));
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
