import { setTimeout as wait } from "node:timers/promises";
import type { Effort, ModelClient } from "../../llm/index.ts";
import type { AgentSettings } from "../settings.ts";
import type { ChangedFile, UndoableTurn, UndoWish } from "./checkpoint.ts";
import type { CommandHelp, Teller } from "./dialogue.ts";
import type { AgentEvent } from "./events.ts";
import type { McpServersPort } from "./mcp-servers.ts";
import type { PermissionMode } from "./permission-mode.ts";
import type {
  PermissionAnswer,
  PermissionNotice,
  PermissionQuestion,
} from "./permission-question.ts";
import type { AttemptResult, ProjectTasks, TasksWish, TaskToImplement } from "./project-tasks.ts";
import type { SessionSwitch } from "./session-switch.ts";
import type { Worktree } from "./worktree.ts";

/** The agent runner behind every surface: many threads, one run at a time on each. */
export interface ThreadHost {
  /** Creates the thread, or leaves an existing one as it is; `thread.created` is emitted anyway. */
  create(options?: CreateThreadOptions): Promise<ThreadInfo>;
  list(): readonly ThreadInfo[];
  /** By its id, or by a beginning that only one has. Throws not_found, invalid_input. */
  find(wanted: string): ThreadInfo;
  /** Aborts what runs, removes the transcript, emits `thread.deleted`. Throws not_found. */
  delete(threadId: string): Promise<void>;
  /**
   * A message of the user: text, a slash command, or the reply to a prompt. Empty text is ignored.
   * Returns once the message was taken. Throws not_found, too_large (queue full).
   */
  send(threadId: string, text: string): Promise<void>;
  /**
   * Keeps an image that no file of the project holds, and answers with what a message says to show
   * it: `@image:…`. Throws invalid_input for what no model takes.
   */
  keepImage(bytes: Uint8Array): Promise<string>;
  /**
   * Runs the command that `text` names if it is an immediate one, beside whatever runs, and tells
   * `asker` what came of it. False: it is something else, to be sent.
   */
  runImmediate(text: string, asker: ImmediateAsker): Promise<boolean>;
  /** The image behind `@image:NAME`, in base64. Throws not_found. */
  readImage(name: string): Promise<{ readonly mediaType: string; readonly data: string }>;
  /** Each file that differs from before the thread, as a unified diff. Throws not_found. */
  changes(threadId: string): Promise<readonly ChangedFile[]>;
  /** What memory gave to the model on this thread. Throws not_found. */
  told(threadId: string): ToldOnThread;
  turns(threadId: string): Promise<readonly UndoableTurn[]>;
  /**
   * Takes back a turn and all that followed it, as `/undo` does: what came of it is told by events.
   * Throws not_found, and conflict while the thread is busy.
   */
  undo(threadId: string, wish?: UndoWish): Promise<void>;
  /** Plans and tasks of the project. */
  tasks(): Promise<ProjectTasks>;
  /**
   * Works through tasks on a thread, as `/tasks run` and `/plans run` do in the terminal. Throws
   * not_found, and conflict while the thread is busy.
   */
  runTasks(threadId: string, wish?: TasksWish): Promise<void>;
  /**
   * Implements one task as `/tasks run` does; `earlier` says how an earlier attempt ended. Throws as
   * `runTasks` does.
   */
  implementTask(threadId: string, task: TaskToImplement, earlier?: string): Promise<AttemptResult>;
  /**
   * Aborts the run, or leaves the flow that waits at a prompt; what was queued comes next, unless
   * it is dropped. Nothing running: ignored.
   */
  cancel(threadId: string, options?: CancelOptions): Promise<void>;
  /** Messages that wait for the run, in their order. Throws not_found. */
  queued(threadId: string): Promise<readonly QueuedMessage[]>;
  /** Changes one that waits; everybody hears of it. Throws not_found, invalid_input. */
  changeQueued(threadId: string, id: string, change: QueuedChange): Promise<void>;
  /** Takes one back that nobody has read yet; everybody hears of it. Throws not_found. */
  removeQueued(threadId: string, id: string): Promise<void>;
  /** Calls `listener` with every event of every thread, in order. Returns the unsubscribe. */
  subscribe(listener: (event: AgentEvent) => void): () => void;
  /**
   * Events of the thread with `seq` greater than `sinceSeq`; undefined when the buffer no longer
   * reaches back that far. Throws not_found, invalid_input.
   */
  replay(threadId: string, sinceSeq: number): readonly AgentEvent[] | undefined;
  /**
   * What was said on a thread so far, for a screen that resumes it: oldest first, the last `limit`
   * entries (default 50). Throws not_found.
   */
  history?(threadId: string, limit?: number): Promise<readonly HistoryEntry[]>;
  readonly info: HostInfo;
  /** Names of the models that the provider has. Throws unavailable where it does not say. */
  models(): Promise<readonly string[]>;
  /** What answers the next message on the thread. Throws not_found. */
  chosen(threadId: string): Promise<ChosenModel>;
  /**
   * Changes it from the next message on, as `/model` and `/effort` do. Throws not_found, and conflict
   * when another process has the thread.
   */
  choose(threadId: string, wish: Partial<ChosenModel>): Promise<ChosenModel>;
  commands(): Promise<readonly CommandHelp[]>;
  /**
   * Paths of the project that fit what was typed after an `@`, not more than `most`, best first;
   * folders end with a slash.
   */
  paths(typed: string, most: number): Promise<readonly string[]>;
  /** Servers of the Model Context Protocol, their prompts and resources. */
  readonly mcpServers: McpServersPort;
  /** Questions about calls, their answers and the mode. */
  readonly permission: PermissionPort;
  /**
   * Runs a command of the person's as hooks are run: in the project and the sandbox, without keys. All
   * that it started is gone when this resolves; rejects with the signal's reason.
   */
  runCheck(command: string, check: CheckOptions): Promise<CheckOutcome>;
  /** Another session with the same conversation so far. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, invalid_input for no title, conflict when another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** Aborts all runs, stores all transcripts, leaves no child process. */
  close(): Promise<void>;
}

export interface BesideOptions {
  /** Where it works; undefined: in the project itself. */
  readonly worktree: Worktree | undefined;
  /** Stands before every request to a model. */
  readonly aroundModel?: (client: ModelClient) => ModelClient;
  /** Over those of this one. */
  readonly settings?: Partial<AgentSettings>;
  readonly isUnattended?: boolean;
  /** Who uses it; `terminal` where nothing is said. */
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
  /** Why it is not ok: `exit code 1`. Empty when it is. */
  readonly reason: string;
  readonly output: string;
}

export interface ChosenModel {
  readonly model: string;
  readonly effort?: Effort;
}

/** A message that waits for the run. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

export interface QueuedChange {
  readonly text?: string;
  /** Among those that wait, from 0; beyond the end is the end. */
  readonly place?: number;
}

export interface CancelOptions {
  /** What waits for the run; `keep` where nothing is said. */
  readonly queued?: "keep" | "drop";
}

export interface ToldOnThread {
  readonly atStart: readonly string[];
  readonly since: readonly { readonly id: string; readonly text: string }[];
}

export interface ImmediateAsker {
  readonly dialogue: Teller;
  /** The thread on show, where there is one. */
  readonly threadId: string | undefined;
  readonly sessions: SessionSwitch;
}

/** One line of an earlier conversation; of a call what it was and whether it worked. */
export interface HistoryEntry {
  readonly role: "user" | "assistant" | "tool";
  /** Text as written; for a tool its name. */
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
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly messageCount: number;
  readonly isRunning: boolean;
  /** A message is being worked on; true between the runs of a flow and at its prompts, too. */
  readonly isBusy?: boolean;
  /** The question that waits for a reply. */
  readonly pendingPrompt?: string;
  readonly pendingPermission?: PermissionQuestion;
  /** Messages held until the current run finishes. */
  readonly queued: number;
  readonly title?: string;
  /** Chosen for this thread with `/model`, as far as that is known without opening it. */
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
  /** Somebody who can answer: hears of questions, of the open ones at once. Returns the leave. */
  attach(listener: (notice: PermissionNotice) => void): () => void;
  /** Throws not_found when the question is no longer open. */
  answer(threadId: string, questionId: string, answer: PermissionAnswer): void;
}

export interface HostInfo {
  readonly model: string;
  readonly provider: string;
  readonly cwd: string;
  /** Name of the sandbox in force, or "off" with the reason. */
  readonly sandbox: string;
  readonly permissionMode: PermissionMode;
}

type SessionFormat = "markdown" | "html";

/** The sessions of a project, whichever process they were made in. */
export interface SessionStore {
  list(): readonly ThreadInfo[];
  /** Another session with the same conversation so far. Throws not_found. */
  fork(threadId: string, title?: string): Promise<ThreadInfo>;
  /** Throws not_found, and conflict when another process has it. */
  rename(threadId: string, title: string): Promise<void>;
  /** Returns the conversation as a document. Throws not_found. */
  write(threadId: string, format: SessionFormat): Promise<string>;
}

/** A command that asks no model sends no `idle`, so its end is looked for. */
const LOOK_MS = 25;

/** Resolves when a thread works on nothing and has no message waiting; a question is not the end. */
export async function untilSettled(host: ThreadHost, threadId: string): Promise<void> {
  await until(() => stateOf(host, threadId) === "settled");
}

export async function untilTurn(host: ThreadHost, threadId: string): Promise<void> {
  await until(() => stateOf(host, threadId) !== "busy");
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(LOOK_MS);
}

function stateOf(host: ThreadHost, threadId: string): "busy" | "asking" | "settled" {
  const info = host.list().find((thread) => thread.threadId === threadId);
  if (info === undefined) return "settled";
  if (info.pendingPrompt !== undefined) return "asking";
  return (info.isBusy ?? info.isRunning) || info.queued > 0 ? "busy" : "settled";
}
