import { randomUUID } from "node:crypto";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import { type Logger, silentLogger } from "../../shared/logger.ts";
import { formatSessionAsMarkdown } from "../export/session-as-markdown.ts";
import { ProjectPaths } from "../files/project-paths.ts";
import { runHookStep } from "../hooks/run-hook-step.ts";
import { containsHome, realRoot } from "../permission/chosen-mode.ts";
import type { Permission } from "../permission/permission.ts";
import type { UndoRequest } from "../ports/checkpoint.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import type { AgentEvent } from "../ports/events.ts";
import type { McpServersPort } from "../ports/mcp-servers.ts";
import type {
  AttemptResult,
  ProjectTasks,
  TasksRequest,
  TaskToImplement,
} from "../ports/project-tasks.ts";
import type {
  CancelOptions,
  CheckOptions,
  CheckOutcome,
  ChosenModel,
  CreateThreadOptions,
  HostInfo,
  ImmediateCaller,
  ShownOnThread,
  ThreadHost,
  ThreadInfo,
} from "../ports/thread-host.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import { offeredCommands, runImmediateCommand } from "../slash-commands/find-slash-command.ts";
import { findThread } from "../slash-commands/find-thread.ts";
import { projectTasks } from "../tasks/project-tasks.ts";
import { finishMerge } from "../worktrees/replace-files.ts";
import { listWorktrees } from "../worktrees/worktree.ts";
import { assembleServices } from "./assemble-services.ts";
import type { HostServices, ThreadHostOptions } from "./host-services.ts";
import { ThreadRegistry } from "./thread-registry.ts";

class SandboxTrial {
  readonly #sandbox: Promise<Sandbox>;
  readonly #services: HostServices;
  #label = "starting";

  constructor(sandbox: Promise<Sandbox>, services: HostServices) {
    this.#sandbox = sandbox;
    this.#services = services;
  }

  get label(): string {
    return this.#label;
  }

  async start(): Promise<void> {
    this.#warnOfHome();
    const { permission, surface, client } = this.#services;
    const started = this.#sandbox.then(({ label }) => {
      this.#label = label;
      permission.settleMode(!label.startsWith("off"));
    });
    if (surface !== "server") return;
    // A server has time until its first client; a terminal's first prompt must not wait.
    void client.prepare();
    await started;
  }

  async close(): Promise<void> {
    await (await this.#sandbox).close();
  }

  #warnOfHome(): void {
    const { projectRoot, settings, logger } = this.#services;
    if (!containsHome(realRoot(projectRoot))) return;
    const { mode } = settings.permission;
    const begins = mode === undefined ? ' The mode is "ask" here; --permission sets another.' : "";
    logger.warn(
      `${projectRoot} is not a project: it contains nearly all of your files. Start cairn in a project folder.${begins}`,
    );
  }
}

type Listener = (event: AgentEvent) => void;

class EventListeners {
  readonly #listeners = new Set<Listener>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(event: AgentEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#logger.error(`A listener failed: ${messageOf(error)}`);
      }
    }
  }
}

export class ProjectThreadHost implements ThreadHost {
  readonly services: HostServices;
  readonly permission: Permission;
  readonly #threads: ThreadRegistry;
  readonly #listeners: EventListeners;
  readonly #sandbox: SandboxTrial;
  readonly #paths: ProjectPaths;
  readonly #processes: ProcessTable;
  readonly #ending = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(options: ThreadHostOptions, openParallelThread: HostServices["openParallelThread"]) {
    this.#listeners = new EventListeners(options.logger ?? silentLogger);
    const { services, processes, sandbox } = assembleServices(options, {
      openParallelThread,
      publish: (event) => this.#listeners.publish(event),
      notify: (message) => this.#threads.emitToAll({ type: "status", phase: "info", message }),
      sessions: threadSessions(() => this.#threads),
    });
    this.services = services;
    this.permission = services.permission;
    this.#threads = new ThreadRegistry(services);
    this.#sandbox = new SandboxTrial(sandbox, services);
    this.#paths = new ProjectPaths(services.projectRoot, () => performance.now());
    this.#processes = processes;
  }

  async start(): Promise<void> {
    await finishInterrupted(this.services);
    // In the background: a server may hang.
    this.services.mcpServers.start();
    await Promise.all([this.#threads.restore(), this.#sandbox.start()]);
  }

  get mcpServers(): McpServersPort {
    return this.services.mcpServers;
  }

  models(): Promise<readonly string[]> {
    return this.services.client.models(this.#ending.signal);
  }

  async chosen(threadId: string): Promise<ChosenModel> {
    return this.#threads.get(threadId).chosen();
  }

  async choose(threadId: string, wish: Partial<ChosenModel>): Promise<ChosenModel> {
    return this.#threads.toChange(threadId).choose(wish);
  }

  commands(): Promise<readonly CommandHelp[]> {
    const { projectRoot, userConfigDir, trustsCommands, commands } = this.services;
    const locations = { projectRoot, userConfigDir };
    return offeredCommands(
      { ...locations, ...(trustsCommands !== undefined && { trustsCommands }) },
      commands,
    );
  }

  paths(typed: string, limit: number): Promise<readonly string[]> {
    return this.#paths.find(typed, limit);
  }

  get info(): HostInfo {
    const { client, projectRoot } = this.services;
    const { model, provider } = client;
    return {
      model,
      provider,
      cwd: projectRoot,
      sandbox: this.#sandbox.label,
      permissionMode: this.permission.mode,
    };
  }

  async create(options: CreateThreadOptions = {}): Promise<ThreadInfo> {
    return this.#threads.create(options);
  }

  list(): readonly ThreadInfo[] {
    return this.#threads.list();
  }

  find(requested: string): ThreadInfo {
    return findThread(this.list(), requested);
  }

  async fork(threadId: string, title?: string): Promise<ThreadInfo> {
    return this.services.sessions.fork(threadId, title);
  }

  async rename(threadId: string, title: string): Promise<void> {
    await this.services.sessions.rename(threadId, title);
  }

  async delete(threadId: string): Promise<void> {
    await this.#threads.delete(threadId);
  }

  runCheck(command: string, { timeoutMs, signal, variables }: CheckOptions): Promise<CheckOutcome> {
    const { projectRoot: cwd, environment, exitGuard, wrapCommand } = this.services;
    const processName = randomIds.next("check-");
    const around = { cwd, environment, exitGuard, wrapCommand, processName };
    return runHookStep({ shell: command }, { ...variables }, { ...around, timeoutMs, signal });
  }

  storeImage(bytes: Uint8Array): Promise<string> {
    return this.services.storedImages.store(bytes);
  }

  readImage(name: string): ReturnType<ThreadHost["readImage"]> {
    return this.services.storedImages.read(name);
  }

  async changes(threadId: string): ReturnType<ThreadHost["changes"]> {
    return this.#threads.get(threadId).changes();
  }

  async send(threadId: string, text: string): Promise<void> {
    await this.#threads.toWorkOn(threadId).send(text);
  }

  runImmediate(text: string, { sessions, ...asker }: ImmediateCaller): Promise<boolean> {
    const context = {
      ...asker,
      ...this.services,
      sessions: { ...this.services.sessions, ...sessions },
      signal: this.#ending.signal,
    };
    return runImmediateCommand(context, text);
  }

  shownMemory(threadId: string): ShownOnThread {
    return this.#threads.get(threadId).shownMemory;
  }

  async turns(threadId: string): ReturnType<ThreadHost["turns"]> {
    return this.#threads.get(threadId).turns();
  }

  async undo(threadId: string, wish: UndoRequest = {}): Promise<void> {
    await this.#threads.toWorkOn(threadId).undo(wish);
  }

  tasks(): Promise<ProjectTasks> {
    return projectTasks(this.services.projectRoot);
  }

  async runTasks(threadId: string, wish: TasksRequest = {}): Promise<void> {
    await this.#threads.toWorkOn(threadId).runTasks(wish);
  }

  implementTask(threadId: string, task: TaskToImplement, earlier?: string): Promise<AttemptResult> {
    return this.#threads.toWorkOn(threadId).implementTask(task, earlier);
  }

  async queued(threadId: string): ReturnType<ThreadHost["queued"]> {
    return this.#threads.get(threadId).queued();
  }

  async changeQueued(...[threadId, id, change]: Parameters<ThreadHost["changeQueued"]>) {
    await this.#threads.toChange(threadId).changeQueued(id, change);
  }

  async removeQueued(threadId: string, id: string): Promise<void> {
    await this.#threads.toChange(threadId).removeQueued(id);
  }

  async cancel(threadId: string, options?: CancelOptions): Promise<void> {
    this.#threads.get(threadId).cancel(options);
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  replay(threadId: string, sinceSeq: number): readonly AgentEvent[] | undefined {
    const thread = this.#threads.get(threadId);
    if (!Number.isSafeInteger(sinceSeq) || sinceSeq < 0) {
      throw invalidInput("sinceSeq: a whole number from 0, the seq of the last event seen.");
    }
    return thread.events.since(sinceSeq);
  }

  async history(threadId: string, limit = 50): ReturnType<NonNullable<ThreadHost["history"]>> {
    return this.#threads.get(threadId).history(limit);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeThreads();
    return this.#closing;
  }

  async #closeThreads(): Promise<void> {
    this.#ending.abort();
    await this.#threads.close();
    await this.services.mcpServers.close();
    try {
      await this.services.checkpoints.close();
    } catch (error) {
      this.services.logger.warn(`Unused file copies could not be removed: ${messageOf(error)}`);
    }
    await this.#processes.killAll();
    await this.#sandbox.close();
  }
}

/** Completes an undo and merges that a killed process left unfinished. */
async function finishInterrupted(services: HostServices): Promise<void> {
  const { checkpoints, dataDir, projectRoot, logger } = services;
  try {
    await checkpoints.finishRestore();
    for (const { folder } of listWorktrees(dataDir, projectRoot)) await finishMerge(folder);
  } catch (error) {
    logger.warn(`An interrupted undo or merge cannot be finished: ${messageOf(error)}`);
  }
}

/** `threads` is called lazily. */
function threadSessions(threads: () => ThreadRegistry): HostServices["sessions"] {
  return {
    list: () => threads().list(),
    fork: async (threadId, title) => {
      const thread = threads().toChange(threadId);
      const named = { threadId: randomUUID(), ...(title !== undefined && { title }) };
      return threads().adopt(await thread.copy(named));
    },
    rename: async (threadId, title) => {
      const thread = threads().toChange(threadId);
      await thread.rename(title);
      if (!thread.isBusy) await thread.release();
    },
    write: async (threadId) => {
      const thread = threads().get(threadId);
      return formatSessionAsMarkdown({ ...thread.info, messages: await thread.messages() });
    },
    archive: (record, messages) => {
      const stored = record.copy({ threadId: randomUUID() }, messages);
      stored.saveState({ isKept: true });
      return threads().adopt(stored);
    },
  };
}
