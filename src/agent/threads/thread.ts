import { CairnError, isCairnError, messageOf, stateConflict } from "../../kernel/errors.ts";
import { loadCustomPrompts } from "../files/load-custom-prompts.ts";
import { History } from "../loop/history.ts";
import type { UndoableTurn, UndoWish } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { HistoryEntry, ThreadInfo } from "../ports/thread-host.ts";
import { firstWords } from "../slash-commands/first-words.ts";
import { isPlanExit } from "../slash-commands/plan-exit.ts";
import { readUserMessage } from "../slash-commands/read-user-message.ts";
import { slashCommands } from "../slash-commands/registry.ts";
import { runSlashCommand } from "../slash-commands/run-slash-command.ts";
import { Conversation } from "./conversation.ts";
import { EventLog } from "./event-log.ts";
import { historyEntries } from "./history-entries.ts";
import type { HostServices } from "./host-services.ts";
import { PendingPrompt } from "./pending-prompt.ts";
import { threadDialogue } from "./thread-dialogue.ts";
import type { ThreadRecord } from "./thread-record.ts";

/** One message being worked on: a run or a slash command with its runs. */
interface Activity {
  readonly abort: AbortController;
  /** The clients were told `aborted` and `idle`. */
  announced: boolean;
  /** Name of the slash command at work. */
  command?: string;
}

/** One conversation: takes messages one at a time and tells what happens. */
export class Thread {
  readonly threadId: string;
  readonly events: EventLog;
  private readonly services: HostServices;
  private readonly record: ThreadRecord;
  private readonly prompt: PendingPrompt;
  private readonly conversation: Conversation;
  private readonly queue: string[] = [];
  private activity: Activity | undefined;
  /** Resolves when no message is being worked on. */
  private settled: Promise<void> = Promise.resolve();
  private loading: Promise<void> | undefined;
  private ended = false;

  constructor(services: HostServices, record: ThreadRecord) {
    this.services = services;
    this.record = record;
    this.threadId = record.state.threadId;
    this.events = new EventLog({
      threadId: this.threadId,
      lastSeq: record.state.seq,
      listener: services.publish,
      saveSeq: (seq) => record.saveState({ seq }),
    });
    this.prompt = new PendingPrompt((event) => this.emit(event));
    this.conversation = new Conversation({
      services,
      record,
      events: this.events,
      takeQueuedText: () => this.takeQueuedText(),
    });
  }

  get info(): ThreadInfo {
    const { createdAt, updatedAt, messageCount, title } = this.record.state;
    const pendingPrompt = this.prompt.question;
    const pendingPermission = this.services.permission.desk.questionOf(this.threadId);
    return {
      threadId: this.threadId,
      createdAt,
      messageCount,
      isRunning: this.conversation.isRunning && pendingPrompt === undefined,
      isBusy: this.isBusy,
      queued: this.queue.length,
      updatedAt,
      ...(pendingPrompt === undefined ? {} : { pendingPrompt }),
      ...(pendingPermission === undefined ? {} : { pendingPermission }),
      ...(title === undefined ? {} : { title }),
    };
  }

  get isBusy(): boolean {
    return this.activity !== undefined;
  }

  /** Reads the conversation from the disk, once. Throws conflict when another process has it. */
  load(): Promise<void> {
    this.loading ??= this.readRecord().catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  async send(text: string): Promise<void> {
    if (text.trim() === "") return;
    await this.load();
    if (this.ended) throw gone(this.threadId);
    if (this.prompt.answer(text)) return;
    if (this.activity === undefined) {
      this.start(text);
      return;
    }
    if (this.activity.command === "plan" && isPlanExit(text)) {
      this.cancel();
      return;
    }
    const limit = this.services.settings.maxQueuedMessages;
    if (this.queue.length >= limit) {
      throw new CairnError(
        "too_large",
        `${limit} messages are waiting on the thread "${this.threadId}" already: wait, or cancel.`,
      );
    }
    this.queue.push(text);
    this.emit({ type: "status", phase: "queued", message: text });
  }

  async turns(): Promise<readonly UndoableTurn[]> {
    return this.conversation.checkpoints.turns();
  }

  /** As `/undo`; a message that waited for an answer or a run would be taken for something else. */
  async undo({ turnId = "", scope = "both" }: UndoWish): Promise<void> {
    await this.load();
    if (this.ended) throw gone(this.threadId);
    if (this.isBusy) {
      throw stateConflict(`The thread "${this.threadId}" is at work: cancel it first, then undo.`);
    }
    this.start(`/undo ${scope} ${turnId}`.trim());
  }

  cancel(): void {
    const dropped = this.queue.splice(0).length;
    if (dropped > 0) {
      const what = dropped === 1 ? "1 queued message was" : `${dropped} queued messages were`;
      this.emit({ type: "status", phase: "info", message: `${what} dropped.` });
    }
    if (this.activity === undefined) void this.conversation.processes.killAll();
    else this.activity.abort.abort(new DOMException("The run was cancelled.", "AbortError"));
  }

  async history(limit: number): Promise<readonly HistoryEntry[]> {
    await this.load();
    return historyEntries(this.conversation.mainHistory, limit);
  }

  /** Makes it this process's; throws conflict when another has it. */
  take(): void {
    this.record.takeLock();
  }

  /** Ends everything, with `thread.deleted` as the last event. */
  async delete(): Promise<void> {
    await this.stop();
    await this.record.remove();
    this.conversation.checkpoints.remove();
    this.events.end({ type: "thread.deleted" });
  }

  async close(): Promise<void> {
    await this.stop();
    await this.record.close();
  }

  emit(event: AgentEventBody): void {
    this.events.emit(event);
  }

  /** No file stays open on an idle thread. */
  release(): Promise<void> {
    return this.record.release();
  }

  private async stop(): Promise<void> {
    this.ended = true;
    await this.loading?.catch(() => undefined);
    this.cancel();
    await this.settled;
    await this.conversation.processes.killAll();
  }

  private async readRecord(): Promise<void> {
    const { messages, wasCutOff } = await this.record.load();
    this.events.advanceTo(this.record.state.seq);
    this.conversation.restore(new History(messages, this.conversation.store));
    if (!wasCutOff) return;
    this.emit({
      type: "status",
      phase: "aborted",
      message: "The program ended in the middle of this run.",
    });
    this.emit({ type: "status", phase: "idle" });
  }

  private start(text: string): void {
    this.settled = this.workThrough(text);
  }

  /** The message and what is queued meanwhile, one after the other. Never rejects. */
  private async workThrough(first: string): Promise<void> {
    let text: string | undefined = first;
    while (text !== undefined) {
      await this.work(text);
      text = this.ended ? undefined : this.queue.shift();
    }
    this.activity = undefined;
    await this.release().catch((error) => this.services.logger.error(messageOf(error)));
  }

  /** Handles one message. Never rejects. */
  private async work(text: string): Promise<void> {
    const activity: Activity = { abort: new AbortController(), announced: false };
    this.activity = activity;
    const { signal } = activity.abort;
    try {
      this.record.nameAfter(text);
      this.record.touch();
      await this.handle(text, activity);
    } catch (error) {
      if (!signal.aborted) this.emitError(error);
    }
    if (signal.aborted && !activity.announced) {
      await this.conversation.processes.killAll();
      this.emit({ type: "status", phase: "aborted" });
      this.emit({ type: "status", phase: "idle" });
    }
  }

  private async handle(text: string, activity: Activity): Promise<void> {
    const { signal } = activity.abort;
    const control = this.conversation.control({
      signal,
      onAborted: () => {
        if (signal.aborted) activity.announced = true;
      },
    });
    const message = readUserMessage(text, await this.customCommands(text));
    if (message.kind === "prompt") {
      await control.runTurn(message.text, { expandMentions: true });
      return;
    }
    if (message.kind === "unknown") {
      this.emit({ type: "error", message: message.message, code: "not_found" });
      return;
    }
    activity.command = message.command.name;
    const { settings, memory, surface, environment, sessions } = this.services;
    const { projectRoot, userConfigDir, exitGuard } = this.services;
    const dialogue = threadDialogue({
      emit: (event) => this.emit(event),
      prompt: this.prompt,
      signal,
    });
    await runSlashCommand(
      {
        dialogue,
        thread: control,
        projectRoot,
        userConfigDir,
        settings,
        memory,
        surface,
        environment,
        processName: this.record.processName,
        exitGuard,
        sessions,
        signal,
      },
      message.command,
      message.args,
    );
  }

  private async customCommands(text: string) {
    if (!text.trimStart().startsWith("/")) return [];
    const builtIn = new Set(firstWords(slashCommands));
    const { commands, warnings } = await loadCustomPrompts(this.services, builtIn);
    for (const message of warnings) this.emit({ type: "status", phase: "info", message });
    return commands;
  }

  /** Queued text up to the first slash command, which is run as a command later. */
  private takeQueuedText(): readonly string[] {
    const command = this.queue.findIndex((text) => text.trimStart().startsWith("/"));
    return this.queue.splice(0, command === -1 ? this.queue.length : command);
  }

  private emitError(error: unknown): void {
    this.services.logger.error(messageOf(error));
    const code = isCairnError(error) ? error.code : "internal";
    this.emit({ type: "error", message: messageOf(error), code });
  }
}

export function gone(threadId: string): CairnError {
  return new CairnError("not_found", `There is no thread "${threadId}".`);
}
