import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import { processIdentity } from "../../shared/process-lock.ts";
import type {
  ChangedFile,
  FileWatch,
  Undo,
  UndoableTurn,
  UndoReport,
  UndoRequest,
} from "../ports/checkpoint.ts";
import { unifiedDiff } from "../tools/unified-diff.ts";
import { hashFile } from "./blob-store.ts";
import {
  copyFile,
  type FileCopy,
  isSameContent,
  type TreeState,
  treeDifference,
} from "./file-copy.ts";
import { isOfGit } from "./git-state.ts";
import { linkedGitMark } from "./linked-git.ts";
import type { ProjectCheckpoints } from "./project-checkpoints.ts";
import { type MemoryReport, RememberedChanges } from "./remembered-changes.ts";
import { joinChanges } from "./restore-files.ts";
import {
  changesSince,
  type FileChange,
  type InitialState,
  type OpenTurn,
  type TurnChanges,
  type TurnRecord,
} from "./turn-record.ts";

/** Records the state before a turn: of files that it writes, and of all if commands run. */
class TurnWatch implements FileWatch {
  readonly #project: ProjectCheckpoints;
  readonly #turnId: string;
  readonly #store: (before: InitialState) => void;
  readonly #written = new Map<string, FileCopy | null>();
  readonly #folders = new Set<string>();
  #tree: Promise<TreeState | undefined> | undefined;
  #protected: Promise<void> | undefined;
  #storedTree: string | undefined;
  #hasRunCommand = false;
  #linkedGit: string | undefined;

  constructor(
    project: ProjectCheckpoints,
    { turnId, store }: { readonly turnId: string; readonly store: (before: InitialState) => void },
  ) {
    this.#project = project;
    this.#turnId = turnId;
    this.#store = store;
    // Scans while the model works; the first scan of a project waits for a command.
    if (project.isTreeKnown) this.#tree = this.#look();
  }

  get hasRunCommand(): boolean {
    return this.#hasRunCommand;
  }

  async willWrite(...paths: readonly string[]): Promise<void> {
    const added = paths.filter((path) => !this.#written.has(path));
    if (added.length === 0) return;
    for (const path of added) {
      this.#written.set(path, copyFile(path, this.#project.store));
      for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
        this.#folders.add(folder);
      }
    }
    this.#store(this.#before());
  }

  async willRunCommand(): Promise<void> {
    this.#tree ??= this.#look();
    this.#protected ??= this.#project.protectGit(this.#turnId);
    const [tree] = await Promise.all([this.#tree, this.#protected]);
    if (this.#hasRunCommand) return;
    this.#hasRunCommand = true;
    this.#linkedGit = linkedGitMark(this.#project.root);
    if (tree !== undefined) this.#storedTree = this.#project.storeTree(tree);
    this.#store(this.#before());
  }

  async end(): Promise<TurnChanges> {
    const tree = this.#hasRunCommand ? await this.#tree : undefined;
    return changesSince(this.#project, { ...this.#before(), state: tree });
  }

  #before(): InitialState {
    return {
      written: [...this.#written].map(([path, before]) => ({ path, before })),
      folders: [...this.#folders].sort((a, b) => a.length - b.length),
      ...(this.#storedTree !== undefined && { tree: this.#storedTree }),
      ...(this.#linkedGit !== undefined && { linkedGit: this.#linkedGit }),
    };
  }

  #look(): Promise<TreeState | undefined> {
    const looked = this.#project.look();
    // Awaited by the first command, if any.
    looked.catch(() => undefined);
    return looked;
  }
}

const MAX_TEXT_LENGTH = 200;
const MAX_CHANGED_FILES = 200;
const MAX_DIFF_LENGTH = 100_000;

export interface Conversation {
  readonly messages: readonly ModelMessage[];
  replace(messages: readonly ModelMessage[]): void;
  append(message: ModelMessage): void;
}

export interface ThreadCheckpointsOptions {
  readonly project: ProjectCheckpoints;
  readonly threadId: string;
  readonly memory: Memory | undefined;
  /** Timestamp as stored. */
  readonly now: () => string;
  readonly conversation: () => Conversation;
  /** True if a command's process is still running. */
  readonly hasBackground: () => boolean;
  readonly isConfined: () => Promise<boolean>;
}

export class ThreadCheckpoints implements Undo {
  readonly #options: ThreadCheckpointsOptions;
  readonly #memory: RememberedChanges;
  /** State at the end of the last turn, if it left processes running. */
  #left: TreeState | undefined;

  constructor(options: ThreadCheckpointsOptions) {
    this.#options = options;
    this.#memory = new RememberedChanges({ memory: options.memory, session: options.threadId });
  }

  /**
   * Watches a turn from `ready` to `end`. With `conversation` its messages can be undone. The state
   * before its first change is on the disk.
   */
  begin(text: string, conversation: Conversation | undefined) {
    const { project, threadId, now } = this.#options;
    const messages = conversation?.messages;
    const position = messages && { length: messages.length, last: lastHash(messages) };
    const turn = { turnId: randomIds.next("turn_"), at: now(), text: firstLine(text) };
    let open: OpenTurn = {
      ...turn,
      ...{ open: true as const, threadId, owner: describeProcess(), written: [], folders: [] },
      ...(position !== undefined && { conversation: position }),
    };
    const store = (before: Partial<OpenTurn>) => {
      open = { ...open, ...before };
      project.open.write(open);
    };
    const watch = new TurnWatch(project, { turnId: turn.turnId, store });
    let newest: string | undefined;
    const waitUntilReady = async (): Promise<void> => {
      await this.#finished();
      this.#left = undefined;
      newest = await this.#memory.newest();
      if (newest !== undefined) open = { ...open, memoryAfter: newest };
      if (position !== undefined) project.open.write(open);
    };
    const end = async (): Promise<void> => {
      const { files, folders, after, movedGit } = await watch.end();
      const remembered = await this.#memory.since(newest);
      if (this.#options.hasBackground()) this.#left = after;
      const record = {
        ...{ ...turn, files, folders },
        ...(messages !== undefined && { conversation: createLocation(messages, conversation) }),
        ...(remembered !== undefined && { remembered }),
        ...(watch.hasRunCommand && { commands: true }),
        ...(movedGit && { movedGit }),
      };
      const isNothing = ![messages, remembered].some(Boolean) && files.length === 0 && !movedGit;
      if (!isNothing) this.#file.add(record);
      project.open.remove(open);
      const isOfRepository = files.some(({ path }) => isOfGit(relative(project.root, path)));
      if (watch.hasRunCommand && !isOfRepository) await project.releaseGit([turn.turnId]);
    };
    return { watch, end, ready: waitUntilReady };
  }

  async turns(): Promise<readonly UndoableTurn[]> {
    const turns = (await this.#finished()).filter(({ undone }) => undone === undefined);
    return turns.map(({ turnId, at, text, files, remembered }) => ({
      turnId,
      at,
      text,
      files: files.length,
      remembered: remembered?.count ?? 0,
    }));
  }

  async changes(): Promise<readonly ChangedFile[]> {
    const { root, store } = this.#options.project;
    const joined = new Map<string, FileChange>();
    for (const { files, undone } of await this.#finished()) {
      if (undone !== undefined && undone.scope !== "conversation") continue;
      for (const change of files) {
        if (isOfGit(relative(root, change.path))) continue;
        const before = (joined.get(change.path) ?? change).before;
        joined.set(change.path, { ...change, before });
      }
    }
    const text = (copy: FileCopy | null): string | undefined => {
      if (copy === null) return "";
      const content = "hash" in copy ? store.get(copy.hash).toString("utf8") : undefined;
      return content?.includes("\0") ? undefined : content;
    };
    return [...joined.values()]
      .filter(({ before, after }) => !isFolder(before) && !isFolder(after))
      .filter(({ before, after }) => !isSameContent(before, after))
      .slice(0, MAX_CHANGED_FILES)
      .map((change) => {
        const path = relative(root, change.path);
        const [before, after] = [text(change.before), text(change.after)];
        const isText = before !== undefined && after !== undefined;
        const diff = isText ? unifiedDiff(path, before, after).slice(0, MAX_DIFF_LENGTH) : "";
        return { path, diff };
      });
  }

  async undo(wish: UndoRequest = {}): Promise<UndoReport> {
    const { scope = "both" } = wish;
    const all = await this.#finished();
    if (all.length === 0) this.#reportBroken();
    const chosen = chooseTurns(all, wish.turnId);
    const conversation = this.#options.conversation();
    const earlier = scope === "files" ? undefined : conversationBefore(chosen, conversation);
    if (scope === "conversation" && earlier === undefined) throw noConversation();
    const done = scope === "conversation" ? NO_FILES : await this.#putBack(chosen);
    const { change, ...memory } = scope === "both" ? await this.#forget(chosen) : NOT_REMEMBERED;
    const undone = { undoId: randomIds.next("undo_"), scope, ...(change && { change }) };
    const restorable = earlier === undefined ? {} : { messages: [...conversation.messages] };
    // Before the conversation is cut, so that a crash loses nothing.
    this.#file.write(
      all.map((turn) =>
        chosen.includes(turn)
          ? { ...turn, undone: turn === chosen[0] ? { ...undone, ...restorable } : undone }
          : turn,
      ),
    );
    if (scope !== "conversation") {
      await this.#options.project.releaseGit(chosen.map(({ turnId }) => turnId));
    }
    if (earlier !== undefined) conversation.replace(earlier);
    else if (done.files.length > 0) conversation.append(createUndoNote(done.files));
    const text = chosen[0]?.text ?? "";
    const conversed = earlier !== undefined;
    const rest = scope === "conversation" ? {} : await this.#rest(chosen);
    const isLeft = scope !== "conversation" && chosen.some(({ movedGit }) => movedGit === true);
    const notKept = [...done.notKept, ...(isLeft ? [LINKED_GIT] : [])];
    const what = { ...done, notKept, text, turns: chosen.length, conversation: conversed };
    return { ...memory, ...rest, ...what };
  }

  async redo(): Promise<UndoReport> {
    const all = await this.#finished();
    // After several undos, the earliest turn was undone last.
    const undoId = all.find(({ undone }) => undone !== undefined)?.undone?.undoId;
    if (undoId === undefined) throw notFound("There is nothing to redo.");
    const chosen = all.filter(({ undone }) => undone?.undoId === undoId);
    const scope = chosen[0]?.undone?.scope;
    const done = scope === "conversation" ? NO_FILES : await this.#bringAgain(chosen);
    const undoChange = chosen[0]?.undone?.change;
    const { change: _, ...memory } =
      undoChange === undefined ? NOT_REMEMBERED : await this.#memory.redo(undoChange);
    const messages = chosen[0]?.undone?.messages;
    if (messages !== undefined) this.#options.conversation().replace(messages);
    this.#file.write(
      all.map((turn) => {
        if (!chosen.includes(turn)) return turn;
        const { undone: _, ...rest } = turn;
        return rest;
      }),
    );
    const text = chosen[0]?.text ?? "";
    const conversed = messages !== undefined;
    return { ...done, ...memory, text, turns: chosen.length, conversation: conversed };
  }

  remove(): void {
    this.#file.remove();
  }

  async #forget(turns: readonly TurnRecord[]): Promise<MemoryReport> {
    const ranges = turns.flatMap(({ remembered }) => remembered ?? []);
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (first === undefined || last === undefined) return NOT_REMEMBERED;
    return this.#memory.undo({ after: first.after, until: last.until });
  }

  #putBack(turns: readonly TurnRecord[]) {
    const { project } = this.#options;
    const changes = joinChanges(
      turns.map(({ files }) => files),
      project.root,
    );
    const folders = turns.flatMap((turn) => turn.folders);
    return project.restore({ changes, folders, text: turns[0]?.text ?? "" });
  }

  #bringAgain(turns: readonly TurnRecord[]) {
    const { project } = this.#options;
    const changes = joinChanges(
      turns.map(({ files }) => files),
      project.root,
    ).map(({ path, before, after }) => ({ path, before: after, after: before }));
    return project.restore({ changes, folders: [], text: turns[0]?.text ?? "" });
  }

  get #file() {
    return this.#options.project.turnsFile(this.#options.threadId);
  }

  /** All ended turns, including those of killed processes. */
  async #finished(): Promise<TurnRecord[]> {
    await this.#options.project.finishCutOff();
    const turns = this.#file.read();
    if (turns.every(({ memoryAfter }) => memoryAfter === undefined)) return turns;
    const known = await Promise.all(turns.map((turn) => this.#withRemembered(turn)));
    this.#file.write(known);
    return known;
  }

  async #withRemembered({ memoryAfter, ...turn }: TurnRecord): Promise<TurnRecord> {
    const remembered = await this.#memory.since(memoryAfter);
    return remembered === undefined ? turn : { ...turn, remembered };
  }

  #reportBroken(): void {
    const notice = this.#options.project.takeNotice();
    if (notice !== undefined) throw stateConflict(notice);
  }

  async #rest(turns: readonly TurnRecord[]) {
    const { project, isConfined } = this.#options;
    const outside = turns.some(({ commands }) => commands === true) && !(await isConfined());
    const now = this.#left === undefined ? undefined : await project.look();
    const own = new Set(turns.flatMap(({ files }) => files.map(({ path }) => path)));
    const later =
      this.#left === undefined || now === undefined ? [] : treeDifference(this.#left, now).files;
    const changedAfter = later
      .map(({ path }) => join(project.root, path))
      .filter((path) => !own.has(path))
      .map((path) => relative(project.root, path));
    return { ...(outside && { outside }), ...(changedAfter.length > 0 && { changedAfter }) };
  }
}

function isFolder(copy: FileCopy | null): boolean {
  return copy !== null && "folder" in copy;
}

function describeProcess() {
  return { pid: process.pid, identity: processIdentity(process.pid) ?? "" };
}

const NOT_REMEMBERED: MemoryReport = { remembered: 0 };
const LINKED_GIT =
  "the state of git in the repository of this linked worktree (commits, branches, stash, staged files)";
const NO_FILES = { files: [] as string[], notKept: [] as string[] };

function chooseTurns(all: readonly TurnRecord[], turnId: string | undefined) {
  const done = all.filter(({ undone }) => undone === undefined);
  if (done.length === 0) throw notFound("There is nothing to undo.");
  if (turnId === undefined) return done.slice(-1);
  const first = done.findIndex((turn) => turn.turnId === turnId);
  if (first === -1) throw invalidInput(`turnId: there is no turn "${turnId}" to undo.`);
  return done.slice(first);
}

function createLocation(before: readonly ModelMessage[], conversation: Conversation | undefined) {
  const now = conversation?.messages ?? [];
  const isPrefix = before.every((message, index) => message === now[index]);
  const position = { length: before.length, last: lastHash(before) };
  return isPrefix ? position : { ...position, messages: [...before] };
}

/** The conversation before the first turn; undefined if unknown. */
function conversationBefore(
  turns: readonly TurnRecord[],
  { messages }: Conversation,
): readonly ModelMessage[] | undefined {
  const position = turns[0]?.conversation;
  if (position === undefined) return undefined;
  const prefix = messages.slice(0, position.length);
  const isSame = prefix.length === position.length && lastHash(prefix) === position.last;
  return isSame ? prefix : position.messages;
}

function lastHash(messages: readonly ModelMessage[]): string {
  return hashFile(JSON.stringify(messages.at(-1) ?? null));
}

function createUndoNote(files: readonly string[]): ModelMessage {
  const names = files.slice(0, 20).join(", ");
  const more = files.length > 20 ? ` and ${files.length - 20} more` : "";
  return {
    role: "user",
    content: `[cairn] The user reverted your changes to ${names}${more}. Read them again.`,
  };
}

function noConversation() {
  return stateConflict(
    "The conversation before that message was cleared or summarized since: only its files can be " +
      "reverted (/undo files).",
  );
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, MAX_TEXT_LENGTH);
}
