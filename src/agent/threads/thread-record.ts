import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ModelMessage } from "../../llm/index.ts";
import { invalidInput, messageOf, stateConflict } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { takeProcessLock } from "../../shared/process-lock.ts";
import { shorten, stripControlLine } from "../../shared/text.ts";
import { joinText, repairHistory } from "../loop/history.ts";
import { killLeftovers } from "../processes/process-table.ts";
import {
  loadTranscript,
  type QueuedMessage,
  Transcript,
  type TranscriptLine,
} from "./transcript.ts";

const THREAD_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Throws invalid_input; the id also names files. */
export function checkThreadId(threadId: string): string {
  if (typeof threadId === "string" && THREAD_ID.test(threadId)) return threadId;
  throw invalidInput("threadId: 1 to 128 letters, digits, full stops, underscores and hyphens.");
}

/** `<data dir>/threads/<project hash>/<threadId>.*` */
export class ThreadFiles {
  readonly folder: string;

  constructor(dataDir: string, projectRoot: string) {
    const hash = createHash("sha256")
      .update(resolveRealPath(projectRoot))
      .digest("hex")
      .slice(0, 16);
    this.folder = join(dataDir, "threads", hash);
  }

  prepare(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  transcript(threadId: string): string {
    return join(this.folder, `${threadId}.jsonl`);
  }

  state(threadId: string): string {
    return join(this.folder, `${threadId}.json`);
  }

  lock(threadId: string): string {
    return join(this.folder, `${threadId}.lock`);
  }

  async threadIds(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -6)] : []));
  }

  async remove(threadId: string): Promise<void> {
    await rm(this.transcript(threadId), { force: true });
    await rm(this.state(threadId), { force: true });
  }
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const threadState = z.object({
  threadId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  messageCount: z.number().int().min(0),
  seq: z.number().int().min(0),
  title: z.string().optional(),
  parent: z.string().optional(),
  isKept: z.boolean().optional(),
  readOfOthers: z.array(z.string()).optional(),
  runOpen: z.boolean(),
});

type ThreadState = z.output<typeof threadState>;

/** Larger than any state, so that a newer one always covers an older one. */
const HEADER_BYTES = 1024;

/** Written in place with every event, in one write: it survives the end of the process. */
class StateFile {
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  write(state: ThreadState): void {
    this.#file ??= openSync(this.#path, OPEN_FLAGS, 0o600);
    const text = `${JSON.stringify(state)}\n`;
    const padding = " ".repeat(Math.max(0, HEADER_BYTES - Buffer.byteLength(text)));
    writeSync(this.#file, `${text.trimEnd()}${padding}\n`, 0);
  }

  release(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Opened without truncation: a crash between truncation and write would lose the state. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT;

function readStateFile(path: string): ThreadState | undefined {
  try {
    return threadState.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

const TITLE_LENGTH = 80;

const CUT_OFF_NOTE =
  "[cairn] The program ended in the middle of the previous run. The effect of its last tool calls is " +
  "unknown: check it before you continue.";
const CUT_OFF_RESULT = "The program ended before this call had a result.";

export interface NewThread {
  readonly threadId: string;
  readonly createdAt: string;
  readonly systemPromptPrefix?: string;
  readonly parent?: string;
  readonly title?: string;
}

export interface RecordLocation {
  readonly files: ThreadFiles;
  readonly now: () => string;
  readonly logger: Logger;
}

type Unstamped<Line> = Line extends { readonly at: string } ? Omit<Line, "at"> : never;
export type StoredLine = Unstamped<TranscriptLine>;

export class ThreadRecord {
  readonly #location: RecordLocation;
  readonly #transcript: Transcript;
  readonly #stateFile: StateFile;
  #releaseLock: (() => void) | undefined;
  #removed = false;
  #current: ThreadState;
  systemPromptPrefix: string | undefined;
  model: string | undefined;

  private constructor(location: RecordLocation, state: ThreadState) {
    this.#location = location;
    this.#transcript = new Transcript(location.files.transcript(state.threadId));
    this.#stateFile = new StateFile(location.files.state(state.threadId));
    this.#current = state;
  }

  static create(location: RecordLocation, thread: NewThread): ThreadRecord {
    location.files.prepare();
    const { threadId, createdAt, systemPromptPrefix, ...named } = thread;
    const state = { threadId, createdAt, updatedAt: createdAt, messageCount: 0, seq: 0, ...named };
    const record = new ThreadRecord(location, { ...state, runOpen: false });
    record.takeLock();
    record.systemPromptPrefix = systemPromptPrefix;
    record.#transcript.append({
      type: "thread",
      version: 1,
      threadId,
      createdAt,
      ...(systemPromptPrefix !== undefined && { systemPromptPrefix }),
    });
    record.saveState({});
    return record;
  }

  copy(as: Pick<NewThread, "threadId" | "title">, messages: readonly ModelMessage[]): ThreadRecord {
    const { createdAt, updatedAt, parent, title } = this.#current;
    const { systemPromptPrefix, model } = this;
    const copy = ThreadRecord.create(this.#location, {
      createdAt,
      ...(systemPromptPrefix !== undefined && { systemPromptPrefix }),
      ...(parent !== undefined && { parent }),
      ...(title !== undefined && { title }),
      ...as,
    });
    if (model !== undefined) copy.chooseModel(model);
    const named = as.title ?? title;
    if (named !== undefined) copy.append({ type: "title", title: named });
    copy.append({ type: "history", messages });
    const { readOfOthers } = this.#current;
    copy.saveState({
      ...{ messageCount: messages.length, updatedAt, seq: firstSeq(messages) },
      ...(readOfOthers !== undefined && { readOfOthers }),
    });
    return copy;
  }

  static async find(location: RecordLocation, threadId: string): Promise<ThreadRecord | undefined> {
    const { files } = location;
    const state = readStateFile(files.state(threadId));
    if (state?.threadId === threadId) return new ThreadRecord(location, state);
    const loaded = await loadTranscript(files.transcript(threadId));
    if (loaded === undefined) return undefined;
    const { head, messages, updatedAt, openRun } = loaded;
    const first = messages.find((message) => message.role === "user");
    const text = first === undefined ? undefined : createTitle(joinText(first));
    const named = loaded.title ?? text;
    const title = named === undefined ? {} : { title: named };
    const { createdAt } = head;
    const seq = firstSeq(messages);
    const rest = { messageCount: messages.length, seq, runOpen: openRun !== undefined };
    return new ThreadRecord(location, { threadId, createdAt, updatedAt, ...rest, ...title });
  }

  get processName(): string {
    const path = this.#location.files.transcript(this.#current.threadId);
    return `t${createHash("sha256").update(path).digest("hex").slice(0, 24)}`;
  }

  get state(): ThreadState {
    return this.#current;
  }

  get #statePath(): string {
    return this.#location.files.state(this.#current.threadId);
  }

  /**
   * Locks the thread and reads its conversation. An interrupted run is marked as aborted, its calls
   * get results and the model a note. Throws conflict if another process has the thread.
   */
  async load(): Promise<{
    readonly messages: readonly ModelMessage[];
    readonly queued: readonly QueuedMessage[];
    readonly wasCutOff: boolean;
  }> {
    this.takeLock();
    // Another process may have continued the thread.
    this.#current = readStateFile(this.#statePath) ?? this.#current;
    const loaded = await loadTranscript(this.#location.files.transcript(this.#current.threadId));
    this.systemPromptPrefix = loaded?.head.systemPromptPrefix;
    this.model = loaded?.model;
    const stored = loaded?.messages ?? [];
    const messages = [...repairHistory(stored, CUT_OFF_RESULT)];
    const openRun = loaded?.openRun;
    const add = (message: ModelMessage) => {
      messages.push(message);
      this.append({ type: "message", message });
    };
    if (messages.some((message, index) => message !== stored[index])) {
      this.append({ type: "history", messages: [...messages] });
    }
    if (loaded?.unsaid !== undefined) add({ role: "user", content: loaded.unsaid });
    if (openRun !== undefined) {
      await killLeftovers(this.processName);
      add({ role: "user", content: CUT_OFF_NOTE });
      this.append({ type: "run", runId: openRun, state: "aborted" });
    }
    this.saveState({ messageCount: messages.length, runOpen: false });
    return { messages, queued: loaded?.queued ?? [], wasCutOff: openRun !== undefined };
  }

  append(line: StoredLine): void {
    if (this.#removed) return;
    this.#transcript.append({ ...line, at: this.#location.now() });
  }

  saveState(change: Partial<ThreadState>): void {
    if (this.#removed) return;
    this.#current = { ...this.#current, ...change };
    if (this.#releaseLock === undefined) return;
    try {
      this.#stateFile.write(this.#current);
    } catch (error) {
      // The transcript can restore it; a full disk must not end the conversation.
      this.#location.logger.warn(`The state of a thread could not be written: ${messageOf(error)}`);
    }
  }

  nameAfter(text: string): void {
    const isCommand = text.trimStart().startsWith("/");
    if (this.#current.title === undefined && !isCommand)
      this.saveState({ title: createTitle(text) });
  }

  /** Throws conflict if another process has the thread, invalid_input without a title. */
  async rename(requested: string): Promise<void> {
    const title = createTitle(stripControlLine(requested));
    if (title === "") throw invalidInput("title: must not be blank.");
    const wasTaken = this.#releaseLock !== undefined;
    this.takeLock();
    try {
      // Another process may have continued the thread.
      if (!wasTaken) this.#current = readStateFile(this.#statePath) ?? this.#current;
      this.append({ type: "title", title });
      this.saveState({ title });
    } finally {
      if (!wasTaken) await this.close();
    }
  }

  chooseModel(model: string): void {
    this.append({ type: "model", model });
    this.model = model;
  }

  leaveTitle(): void {
    if (this.#current.title !== undefined) this.append({ type: "title", title: "" });
    this.saveState({ title: undefined });
  }

  touch(): void {
    this.saveState({ updatedAt: this.#location.now() });
  }

  /** Syncs and closes all files; the next line opens them again. */
  async release(): Promise<void> {
    this.#stateFile.release();
    await this.#transcript.release();
  }

  async close(): Promise<void> {
    await this.release();
    this.#releaseLock?.();
    this.#releaseLock = undefined;
  }

  /** Requires `takeLock`. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.release();
    await this.#location.files.remove(this.#current.threadId);
    this.#releaseLock?.();
    this.#releaseLock = undefined;
  }

  async killLeftovers(): Promise<void> {
    const wasTaken = this.#releaseLock !== undefined;
    this.takeLock();
    try {
      await killLeftovers(this.processName);
    } finally {
      if (!wasTaken) await this.close();
    }
  }

  /** Throws conflict if another process has the thread. */
  takeLock(): void {
    if (this.#releaseLock !== undefined) return;
    const lock = takeProcessLock(this.#location.files.lock(this.#current.threadId));
    if ("holderPid" in lock) {
      throw stateConflict(
        `The thread "${this.#current.threadId}" is open in another cairn (process ${lock.holderPid}): ` +
          "close that one, or continue another thread.",
      );
    }
    this.#releaseLock = lock.release;
  }
}

function createTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return shorten(line, TITLE_LENGTH);
}

/** Records of a project's threads, oldest first; unreadable ones are skipped. */
export async function findRecords(location: RecordLocation): Promise<readonly ThreadRecord[]> {
  const records: ThreadRecord[] = [];
  for (const threadId of await location.files.threadIds()) {
    try {
      checkThreadId(threadId);
      const record = await ThreadRecord.find(location, threadId);
      if (record !== undefined) records.push(record);
    } catch (error) {
      location.logger.warn(`The thread "${threadId}" could not be read: ${messageOf(error)}`);
    }
  }
  return records.sort((a, b) => (a.state.createdAt < b.state.createdAt ? -1 : 1));
}

/** 1 for a thread with messages but no events, so that clients request its history. */
function firstSeq(messages: readonly ModelMessage[]): number {
  return messages.length === 0 ? 0 : 1;
}
