import { randomUUID } from "node:crypto";
import { toTimestamp } from "../../kernel/clock.ts";
import { CairnError, invalidInput, messageOf, stateConflict } from "../../kernel/errors.ts";
import { randomIds } from "../../kernel/ids.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import type { ModelClient } from "../../llm/index.ts";
import { shownChanges, takeOver } from "../copies/shown-changes.ts";
import { sessionAsHtml } from "../export/session-as-html.ts";
import { sessionAsMarkdown } from "../export/session-as-markdown.ts";
import { ProjectPaths } from "../files/project-paths.ts";
import { runHookStep } from "../hooks/run-hook-step.ts";
import { holdsHome, realRoot } from "../permission/default-mode.ts";
import type { Permission } from "../permission/permission.ts";
import type { UndoWish } from "../ports/checkpoint.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import type { AgentEvent } from "../ports/events.ts";
import type { McpServersPort } from "../ports/mcp-servers.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ProjectTasks, TasksWish } from "../ports/project-tasks.ts";
import type { SessionFormat } from "../ports/session-store.ts";
import type {
  CancelOptions,
  ChangesOfCopy,
  CheckOptions,
  CheckOutcome,
  ChosenModel,
  CopyMergeWish,
  CreateThreadOptions,
  HostInfo,
  ImmediateAsker,
  ThreadHost,
  ThreadInfo,
  ToldOnThread,
} from "../ports/thread-host.ts";
import { holderOfLock } from "../processes/process-lock.ts";
import { type ProcessTable, tablesAlive } from "../processes/process-table.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import { findThread } from "../slash-commands/find-thread.ts";
import { offeredCommands } from "../slash-commands/offered-commands.ts";
import { runImmediateCommand } from "../slash-commands/run-slash-command.ts";
import { projectTasks } from "../tasks/project-tasks.ts";
import { ShownQuestions } from "../unattended/shown-questions.ts";
import { assembleServices } from "./assemble-services.ts";
import { findRecords } from "./find-records.ts";
import type { HostServices } from "./host-services.ts";
import { withCopies } from "./host-with-copies.ts";
import { gone, Thread } from "./thread.ts";
import type { ThreadHostOptions } from "./thread-host-options.ts";
import { checkThreadId } from "./thread-id.ts";
import { type RecordPlace, ThreadRecord } from "./thread-record.ts";

/** Opens the threads of a project. Those of earlier starts are there again. */
export async function createThreadHost(options: ThreadHostOptions): Promise<ThreadHost> {
  const host = new Host(options);
  host.startServers();
  await Promise.all([host.restore(), host.startSandbox()]);
  const isPersons = options.surface === "server" && options.copy === undefined;
  if (isPersons) host.showRuns();
  if (!isPersons) return host;
  return withCopies(host, { services: host.services, maxThreads: options.settings.maxThreads });
}

const asItIs = (client: ModelClient): ModelClient => client;

class Host implements ThreadHost {
  readonly #sandbox: Promise<Sandbox>;
  #sandboxLabel = "starting";
  readonly #threads = new Map<string, Thread>();
  /** Those in memory; a thread of an earlier start that nobody used costs next to nothing. */
  readonly #opened = new Set<string>();
  /** Deletions under way: a new thread of the same id waits for them. */
  readonly #deletions = new Map<string, Promise<void>>();
  readonly permission: Permission;
  /** Of the host itself, not of a thread. */
  readonly #processes: ProcessTable;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly services: HostServices;
  readonly #logger: Logger;
  readonly #paths: ProjectPaths;
  /** Aborted when the host closes. */
  readonly #ending = new AbortController();
  #closing: Promise<void> | undefined;
  #runs: ShownQuestions | undefined;

  constructor(options: ThreadHostOptions) {
    this.#logger = options.logger ?? silentLogger;
    const { services, processes, sandbox } = assembleServices(options, {
      publish: (event) => this.#publish(event),
      openBeside: ({ copy, aroundModel, settings, isUnattended, surface }, within) => {
        const { copy: _own, aroundModel: before = asItIs, ...rest } = options;
        return createThreadHost({
          ...rest,
          ...(copy !== undefined && { copy, projectRoot: copy.tree }),
          settings: { ...options.settings, ...settings },
          surface: surface ?? "terminal",
          // The words of a model are no session of the person's.
          ...(within !== undefined && { within, keepsSessions: false }),
          isUnattended: isUnattended ?? options.isUnattended === true,
          aroundModel: (client) => aroundModel?.(before(client)) ?? before(client),
        });
      },
      notify: (message) => {
        for (const thread of this.#threads.values()) {
          thread.emit({ type: "status", phase: "info", message });
        }
      },
      sessions: {
        list: () => this.list(),
        fork: (threadId, title) => this.fork(threadId, title),
        rename: (threadId, title) => this.rename(threadId, title),
        write: (threadId, format) => this.#write(threadId, format),
        keep: (record, messages) => {
          const kept = record.copy({ threadId: randomUUID() }, messages);
          kept.saveState({ isKept: true });
          return this.#adopt(kept);
        },
      },
    });
    this.services = services;
    this.#paths = new ProjectPaths(services.projectRoot, () => performance.now());
    this.#processes = processes;
    this.#sandbox = sandbox;
    this.permission = services.permission;
  }

  get mcpServers(): McpServersPort {
    return this.services.mcpServers;
  }

  models(): Promise<readonly string[]> {
    return this.services.client.models(this.#ending.signal);
  }

  async chosen(threadId: string): Promise<ChosenModel> {
    return this.#threadOf(threadId).chosen();
  }

  async choose(threadId: string, wish: Partial<ChosenModel>): Promise<ChosenModel> {
    this.#refuseWhenClosed();
    return this.#threadOf(threadId).choose(wish);
  }

  commands(): Promise<readonly CommandHelp[]> {
    const { projectRoot, userConfigDir, trustsCommands, commands } = this.services;
    const places = { projectRoot, userConfigDir };
    return offeredCommands(
      { ...places, ...(trustsCommands !== undefined && { trustsCommands }) },
      commands,
    );
  }

  paths(typed: string, most: number): Promise<readonly string[]> {
    return this.#paths.find(typed, most);
  }

  /** In the background: nothing waits for a server that hangs. */
  startServers(): void {
    this.services.mcpServers.start();
  }

  get info(): HostInfo {
    const { client, projectRoot } = this.services;
    const { model, provider } = client;
    return {
      model,
      provider,
      cwd: projectRoot,
      sandbox: this.#sandboxLabel,
      permissionMode: this.permission.mode,
    };
  }

  /** A server says it to its first client; a terminal shows its prompt before the trial is over. */
  async startSandbox(): Promise<void> {
    const { projectRoot, settings } = this.services;
    if (holdsHome(realRoot(projectRoot))) {
      const { mode } = settings.permission;
      const begins =
        mode === undefined ? ' The mode is "ask" here; --permission names another.' : "";
      this.#logger.warn(
        `${projectRoot} is no project: nearly everything of yours lies in it. Start cairn in the folder of one.${begins}`,
      );
    }
    const started = this.#sandbox.then(({ label, isFull }) => {
      this.#sandboxLabel = label;
      this.permission.settleMode({ isConfined: !label.startsWith("off"), isFull });
    });
    if (this.services.surface !== "server") return;
    // A server has time until its first client; a terminal's first prompt must not wait for this.
    void this.services.client.prepare();
    await started;
  }

  /** What unattended runs of the project ask for shows among the questions of its threads. */
  showRuns(): void {
    const { dataDir, projectRoot: project, permission } = this.services;
    const logger = this.#logger;
    this.#runs = new ShownQuestions({ dataDir, project, desk: permission.desk, logger });
  }

  /** Threads of earlier starts; a run that was cut off is marked as aborted now. */
  async restore(): Promise<void> {
    const { files } = this.services;
    const threads = (await findRecords(this.#place)).map((record) => {
      const thread = new Thread(this.services, record);
      this.#threads.set(thread.threadId, thread);
      return { thread, record };
    });
    const alive = threads.length === 0 ? new Set<string>() : tablesAlive();
    const closings = threads.map(async ({ thread, record }) => {
      const { threadId } = thread;
      try {
        const held = holderOfLock(files.lock(threadId)) !== undefined;
        if (!held && alive.has(record.processName)) {
          await record.killLeftovers();
          this.#logger.warn(`Ended what a killed cairn had left running on "${threadId}".`);
        }
        if (record.state.runOpen && !held) await thread.load();
        await thread.release();
      } catch (error) {
        this.#logger.warn(`The thread "${threadId}" could not be read: ${messageOf(error)}`);
      }
    });
    await Promise.all(closings);
  }

  async create(options: CreateThreadOptions = {}): Promise<ThreadInfo> {
    this.#refuseWhenClosed();
    const threadId = checkThreadId(options.threadId ?? randomUUID());
    await this.#deletions.get(threadId);
    const thread = this.#threads.get(threadId) ?? this.#open(threadId, options.systemPromptPrefix);
    thread.emit({ type: "thread.created" });
    if (!thread.isBusy) await thread.release();
    return thread.info;
  }

  list(): readonly ThreadInfo[] {
    return [...this.#threads.values()].map((thread) => thread.info);
  }

  find(wanted: string): ThreadInfo {
    return findThread(this.list(), wanted);
  }

  async fork(threadId: string, title?: string): Promise<ThreadInfo> {
    this.#refuseWhenClosed();
    const named = { threadId: randomUUID(), ...(title !== undefined && { title }) };
    return this.#adopt(await this.#threadOf(threadId).copy(named));
  }

  async rename(threadId: string, title: string): Promise<void> {
    this.#refuseWhenClosed();
    const thread = this.#threadOf(threadId);
    await thread.rename(title);
    if (!thread.isBusy) await thread.release();
  }

  runCheck(command: string, { timeoutMs, signal, variables }: CheckOptions): Promise<CheckOutcome> {
    const { projectRoot: cwd, environment, exitGuard, wrapCommand } = this.services;
    const processName = randomIds.next("check-");
    const around = { cwd, environment, exitGuard, wrapCommand, processName };
    return runHookStep({ shell: command }, { ...variables }, { ...around, timeoutMs, signal });
  }

  async #write(threadId: string, format: SessionFormat): Promise<string> {
    const thread = this.#threadOf(threadId);
    const session = { ...thread.info, messages: await thread.messages() };
    return format === "html" ? sessionAsHtml(session) : sessionAsMarkdown(session);
  }

  /** A record that was made beside the threads becomes one of them, at rest. */
  #adopt(record: ThreadRecord): ThreadInfo {
    const thread = new Thread(this.services, record);
    this.#threads.set(thread.threadId, thread);
    record.close().catch((error) => this.#logger.warn(messageOf(error)));
    return thread.info;
  }

  async delete(threadId: string): Promise<void> {
    const thread = this.#threadOf(threadId);
    thread.take();
    this.#threads.delete(threadId);
    this.#opened.delete(threadId);
    const deletion = thread.delete().finally(() => this.#deletions.delete(threadId));
    this.#deletions.set(threadId, deletion);
    await deletion;
  }

  keepImage(bytes: Uint8Array): Promise<string> {
    return this.services.keptImages.keep(bytes);
  }

  async send(threadId: string, text: string): Promise<void> {
    this.#refuseWhenClosed();
    const thread = this.#threadOf(threadId);
    this.#opened.add(threadId);
    await thread.send(text);
  }

  runImmediate(text: string, { sessions, ...asker }: ImmediateAsker): Promise<boolean> {
    const context = {
      ...asker,
      ...this.services,
      sessions: { ...this.services.sessions, ...sessions },
      signal: this.#ending.signal,
    };
    return runImmediateCommand(context, text);
  }

  told(threadId: string): ToldOnThread {
    return this.#threadOf(threadId).told;
  }

  async turns(threadId: string): ReturnType<ThreadHost["turns"]> {
    return this.#threadOf(threadId).turns();
  }

  async undo(threadId: string, wish: UndoWish = {}): Promise<void> {
    this.#refuseWhenClosed();
    const thread = this.#threadOf(threadId);
    this.#opened.add(threadId);
    await thread.undo(wish);
  }

  async copyChanges(threadId: string): Promise<ChangesOfCopy> {
    this.#threadOf(threadId);
    return shownChanges(this.#ownCopy(threadId));
  }

  async mergeCopy(threadId: string, wish: CopyMergeWish = {}): Promise<void> {
    this.#refuseWhenClosed();
    const thread = this.#threadOf(threadId);
    if (thread.isBusy) throw stateConflict(`The thread "${threadId}" is at work: cancel it first.`);
    const message = await takeOver(this.#ownCopy(threadId), wish);
    thread.emit({ type: "status", phase: "success", message });
    await thread.release();
  }

  /** One that it was opened in is thrown away by whoever made it. */
  async discardCopy(threadId: string): Promise<void> {
    this.#threadOf(threadId);
    throw invalidInput(`The thread "${threadId}" has no copy of its own to throw away.`);
  }

  #ownCopy(threadId: string): ProjectCopy {
    const { copy } = this.services;
    if (copy !== undefined) return copy;
    throw invalidInput(
      `The thread "${threadId}" works in the project itself, not in a copy of it.`,
    );
  }

  tasks(): Promise<ProjectTasks> {
    return projectTasks(this.services.projectRoot);
  }

  async runTasks(threadId: string, wish: TasksWish = {}): Promise<void> {
    this.#refuseWhenClosed();
    const thread = this.#threadOf(threadId);
    this.#opened.add(threadId);
    await thread.runTasks(wish);
  }

  async queued(threadId: string): ReturnType<ThreadHost["queued"]> {
    return this.#threadOf(threadId).queued();
  }

  async changeQueued(...[threadId, id, change]: Parameters<ThreadHost["changeQueued"]>) {
    this.#refuseWhenClosed();
    await this.#threadOf(threadId).changeQueued(id, change);
  }

  async removeQueued(threadId: string, id: string): Promise<void> {
    this.#refuseWhenClosed();
    await this.#threadOf(threadId).removeQueued(id);
  }

  async cancel(threadId: string, options?: CancelOptions): Promise<void> {
    this.#threadOf(threadId).cancel(options);
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  replay(threadId: string, sinceSeq: number): readonly AgentEvent[] | undefined {
    const thread = this.#threadOf(threadId);
    if (!Number.isSafeInteger(sinceSeq) || sinceSeq < 0) {
      throw invalidInput("sinceSeq: a whole number from 0, the seq of the last event seen.");
    }
    return thread.events.since(sinceSeq);
  }

  async history(threadId: string, limit = 50): ReturnType<NonNullable<ThreadHost["history"]>> {
    return this.#threadOf(threadId).history(limit);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeThreads();
    return this.#closing;
  }

  async #closeThreads(): Promise<void> {
    this.#ending.abort();
    this.#runs?.close();
    const closing = [...this.#threads.values()].map((thread) => thread.close());
    await Promise.all([...closing, ...this.#deletions.values()]);
    await this.services.mcpServers.close();
    try {
      await this.services.checkpoints.close();
    } catch (error) {
      this.#logger.warn(`The copies of files could not be tidied up: ${messageOf(error)}`);
    }
    await this.#processes.killAll();
    await (await this.#sandbox).close();
  }

  #open(threadId: string, systemPromptPrefix: string | undefined): Thread {
    const { settings } = this.services;
    if (this.#opened.size >= settings.maxThreads) {
      throw new CairnError(
        "too_large",
        `${settings.maxThreads} threads are open already: delete one, or raise "maxThreads".`,
      );
    }
    const prefix = systemPromptPrefix?.trim();
    const named = { threadId, createdAt: this.#place.now() };
    const record = ThreadRecord.create(
      this.#place,
      prefix ? { ...named, systemPromptPrefix: prefix } : named,
    );
    const thread = new Thread(this.services, record);
    this.#threads.set(threadId, thread);
    this.#opened.add(threadId);
    return thread;
  }

  #threadOf(threadId: string): Thread {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) throw gone(threadId);
    return thread;
  }

  #refuseWhenClosed(): void {
    if (this.#closing !== undefined) throw new CairnError("unavailable", "cairn is closing.");
  }

  #publish(event: AgentEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#logger.error(`A listener failed: ${messageOf(error)}`);
      }
    }
  }

  get #place(): RecordPlace {
    const { files, clock } = this.services;
    return { files, now: () => toTimestamp(clock.now()), logger: this.#logger };
  }
}
