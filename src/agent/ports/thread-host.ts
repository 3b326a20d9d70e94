import { setTimeout as wait } from "node:timers/promises";
import type { Effort, ModelClient } from "../../llm/index.ts";
import type { AgentSettings } from "../settings.ts";
import type { ChangedFile, UndoableTurn, UndoRequest } from "./checkpoint.ts";
import type { CommandHelp, MessageOutput } from "./dialogue.ts";
import type { AgentEvent } from "./events.ts";
import type { McpServersPort } from "./mcp-servers.ts";
import type { PermissionMode } from "./permission-mode.ts";
import type {
  PermissionAnswer,
  PermissionNotice,
  PermissionQuestion,
} from "./permission-question.ts";
import type {
  AttemptResult,
  ProjectTasks,
  TasksRequest,
  TaskToImplement,
} from "./project-tasks.ts";
import type { SessionSwitch } from "./session-switch.ts";
import type { Worktree } from "./worktree.ts";

/** The agent runner of every surface: many threads, one run at a time on each. */
export interface ThreadHost {
  /** Creates the thread if it does not exist; `thread.created` is emitted in any case. */
  create(options?: CreateThreadOptions): Promise<ThreadInfo>;
  list(): readonly ThreadInfo[];
  /** By id or unique prefix. Throws not_found, invalid_input. */
  find(requested: string): ThreadInfo;
  /** Aborts its run, removes the transcript, emits `thread.deleted`. Throws not_found. */
  delete(threadId: string): Promise<void>;
  /** Resolves once the message was accepted. Throws not_found, too_large (queue full). */
  send(threadId: string, text: string): Promise<void>;
  /** Returns the mention `@image:…`. Throws invalid_input for an unsupported image. */
  storeImage(bytes: Uint8Array): Promise<string>;
  /**
   * Runs the command of `text` if it is an immediate one, concurrently with a run, and reports to
   * `asker`. False: send it instead.
   */
  runImmediate(text: string, asker: ImmediateCaller): Promise<boolean>;
  /** The image behind `@image:NAME`, in base64. Throws not_found. */
  readImage(name: string): Promise<{ readonly mediaType: string; readonly data: string }>;
  /** Unified diff of each file since the thread began. Throws not_found. */
  changes(threadId: string): Promise<readonly ChangedFile[]>;
  /** Content that memory gave to the model. Throws not_found. */
  shownMemory(threadId: string): ShownOnThread;
  turns(threadId: string): Promise<readonly UndoableTurn[]>;
  /** Undoes a turn and all later ones. Throws not_found, conflict while busy. */
  undo(threadId: string, wish?: UndoRequest): Promise<void>;
  tasks(): Promise<ProjectTasks>;
  /** Works as `/tasks run` and `/plans run`. Throws not_found, conflict while busy. */
  runTasks(threadId: string, wish?: TasksRequest): Promise<void>;
  /** Implements one task as `/tasks run` does. `earlier` is the result of an earlier attempt. Throws as `runTasks`. */
  implementTask(threadId: string, task: TaskToImplement, earlier?: string): Promise<AttemptResult>;
  /**
   * Aborts the run, or leaves a flow that waits at a prompt. Queued messages follow unless dropped.
   * Ignored if nothing runs.
   */
  cancel(threadId: string, options?: CancelOptions): Promise<void>;
  /** Queued messages in order. Throws not_found. */
  queued(threadId: string): Promise<readonly QueuedMessage[]>;
  /** Notifies all clients. Throws not_found, invalid_input. */
  changeQueued(threadId: string, id: string, change: QueuedChange): Promise<void>;
  /** Removes an unread message; notifies all clients. Throws not_found. */
  removeQueued(threadId: string, id: string): Promise<void>;
  /** Calls `listener` with every event of every thread, in order. Returns the unsubscribe. */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  /** Undefined if they are no longer buffered. Throws not_found, invalid_input. */
  replay(threadId: string, sinceSeq: number): readonly AgentEvent[] | undefined;
  /** The last `limit` entries (default 50), oldest first. Throws not_found. */
  history?(threadId: string, limit?: number): Promise<readonly HistoryEntry[]>;
  readonly info: HostInfo;
  /** Throws unavailable if the provider does not list its models. */
  models(): Promise<readonly string[]>;
  /** Model and effort for the next message. Throws not_found. */
  chosen(threadId: string): Promise<ChosenModel>;
  /** For the next message. Throws not_found, and conflict if another process has the thread. */
  choose(threadId: string, wish: Partial<ChosenModel>): Promise<ChosenModel>;
  commands(): Promise<readonly CommandHelp[]>;
  /** Paths that match the text after an `@`, best first; folders end with a slash. */
  paths(typed: string, limit: number): Promise<readonly string[]>;
  readonly mcpServers: McpServersPort;
  readonly permission: PermissionPort;
  /** Runs a command as hooks run, without keys; rejects with the signal's reason. */
  runCheck(command: string, check: CheckOptions): Promise<CheckOutcome>;
  /** Copies a conversation into a new session. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, invalid_input without a title, conflict if another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** Aborts all runs, stores all transcripts, ends all child processes. */
  close(): Promise<void>;
}

export interface ParallelThreadOptions {
  readonly worktree: Worktree | undefined;
  readonly aroundModel?: (client: ModelClient) => ModelClient;
  readonly settings?: Partial<AgentSettings>;
  readonly isUnattended?: boolean;
  readonly surface?: "terminal" | "server";
}

export interface CheckOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface CheckOutcome {
  readonly step: string;
  readonly ok: boolean;
  readonly reason: string;
  readonly output: string;
}

export interface ChosenModel {
  readonly model: string;
  readonly effort?: Effort;
}

export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

export interface QueuedChange {
  readonly text?: string;
  readonly place?: number;
}

export interface CancelOptions {
  readonly queued?: "keep" | "drop";
}

export interface ShownOnThread {
  readonly atStart: readonly string[];
  readonly since: readonly { readonly id: string; readonly text: string }[];
}

export interface ImmediateCaller {
  readonly dialogue: MessageOutput;
  readonly threadId: string | undefined;
  readonly sessions: SessionSwitch;
}

export interface HistoryEntry {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly args?: unknown;
  readonly failure?: string;
}

export interface CreateThreadOptions {
  readonly threadId?: string;
  readonly systemPromptPrefix?: string;
}

export interface ThreadInfo {
  readonly threadId: string;
  readonly createdAt: string;
  readonly messageCount: number;
  readonly isRunning: boolean;
  /** A message is in progress; also between runs of a flow and at its prompts. */
  readonly isBusy?: boolean;
  readonly pendingPrompt?: string;
  readonly pendingPermission?: PermissionQuestion;
  readonly queued: number;
  readonly title?: string;
  readonly model?: string;
  readonly parent?: string;
  readonly isKept?: true;
  readonly updatedAt: string;
}

export interface PermissionPort {
  readonly mode: PermissionMode;
  setMode(mode: PermissionMode): void;
  cycleMode(): PermissionMode;
  readonly settled: Promise<PermissionMode>;
  /** Sends open questions at once, then new ones. Returns the function that detaches. */
  attach(listener: (notice: PermissionNotice) => void): () => void;
  /** Throws not_found if the question is no longer open. */
  answer(threadId: string, questionId: string, answer: PermissionAnswer): void;
}

export interface HostInfo {
  readonly model: string;
  readonly provider: string;
  readonly cwd: string;
  /** Name of the sandbox, or "off" with the reason. */
  readonly sandbox: string;
  readonly permissionMode: PermissionMode;
}

export interface SessionStore {
  list(): readonly ThreadInfo[];
  /** Copies a conversation into a new session. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, and conflict if another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** Returns the conversation as a document. Throws not_found. */
  write(threadId: string): Promise<string>;
}

/** A command that uses no model sends no `idle`, so its end is polled. */
const POLL_INTERVAL_MS = 25;

/** Resolves when a thread is idle and its queue is empty; a question is not the end. */
export async function waitUntilSettled(host: ThreadHost, threadId: string): Promise<void> {
  await waitUntil(() => getState(host, threadId) === "settled");
}

export async function waitForTurn(host: ThreadHost, threadId: string): Promise<void> {
  await waitUntil(() => getState(host, threadId) !== "busy");
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(POLL_INTERVAL_MS);
}

function getState(host: ThreadHost, threadId: string): "busy" | "asking" | "settled" {
  const info = host.list().find((thread) => thread.threadId === threadId);
  if (info === undefined) return "settled";
  if (info.pendingPrompt !== undefined) return "asking";
  return (info.isBusy ?? info.isRunning) || info.queued > 0 ? "busy" : "settled";
}
