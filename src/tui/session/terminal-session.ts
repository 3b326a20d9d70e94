import type { AgentEvent, Choice, ThreadInfo } from "../../agent/index.ts";
import { messageOf } from "../../kernel/errors.ts";
import { stripControlLine } from "../../kernel/strip-control.ts";
import { completePath, findPathQuery, type PathQuery } from "../completion/complete-path.ts";
import type { CommandHelp } from "../completion/completion.ts";
import { listProjectPaths } from "../completion/list-project-paths.ts";
import { expandedText, setText } from "../editor/editor.ts";
import type { Key } from "../input/key.ts";
import { ageOf } from "../memory/recall-view.ts";
import { type Effect, pressKey } from "../state/press-key.ts";
import { type Action, reduce } from "../state/reduce.ts";
import { createScreen, type PendingPrompt, type Screen } from "../state/screen.ts";
import type { Connect, Connection } from "./connection.ts";
import type { InputHistory } from "./input-history.ts";
import { itemsOfHistory } from "./items-of-history.ts";
import { LOCAL_COMMANDS, runLocalCommand } from "./local-commands.ts";
import { createStore, type Store } from "./store.ts";

export interface SessionOptions {
  readonly connect: Connect;
  readonly history: InputHistory;
  /** Absolute. */
  readonly projectRoot: string;
  /** The project as the status line names it. */
  readonly cwdLabel: string;
  readonly resume?: ResumeWish;
  readonly now: () => number;
  /** Clears the screen and draws it again. */
  readonly redraw: () => void;
  /** Asks for a provider and writes the config; returns what to connect with afterwards. */
  readonly setup?: Setup;
}

/** `pick`: choose from a list; `latest`: the one used last. */
export type ResumeWish =
  | { readonly kind: "pick" }
  | { readonly kind: "latest" }
  | { readonly kind: "thread"; readonly threadId: string };

/** Runs in place of the host while it asks; see the setup module. */
export type Setup = (session: TerminalSession) => Promise<void>;

const PATHS_KEPT_MS = 10_000;

/** One sitting at the terminal: turns keys into actions of the agent and its events into a screen. */
export class TerminalSession {
  readonly store: Store<Screen>;
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  connection: Connection | undefined;
  private readonly options: SessionOptions;
  private leave: () => void = () => undefined;
  /** Sent before the host was there. */
  private readonly outbox: string[] = [];
  private sending = 0;
  private unsubscribe: () => void = () => undefined;
  private paths: { readonly at: number; readonly list: Promise<readonly string[]> } | undefined;
  private hasFailed = false;
  private settingUp: ((answer: string | undefined) => void) | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.store = createStore(createScreen({ cwd: options.cwdLabel }));
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  get screen(): Screen {
    return this.store.get();
  }

  dispatch(action: Action, isUrgent = action.type !== "event"): void {
    this.store.set(reduce(this.screen, action, this.options.now()), isUrgent);
  }

  /** Fetches the history, opens the host, and sends what was typed meanwhile. */
  async start(): Promise<void> {
    this.hasFailed = false;
    await this.loadHistory();
    try {
      await this.connect();
    } catch (error) {
      this.hasFailed = true;
      this.note("error", messageOf(error));
      this.note("info", "Nothing was lost: correct this, then send anything to try again.");
      this.giveBack(this.outbox.splice(0));
    }
  }

  /** Opens the host anew, as after the set-up changed the config. */
  async connect(): Promise<void> {
    this.unsubscribe();
    await this.connection?.close();
    this.connection = undefined;
    const connection = await this.options.connect({
      onResume: (threadId) => this.resume(threadId),
      onNotice: (message) => this.note("info", message),
    });
    this.connection = connection;
    this.unsubscribe = connection.host.subscribe((event) => this.onEvent(event));
    const { info } = connection.host;
    this.dispatch({
      type: "status",
      status: {
        connected: true,
        ...(connection.hasModel ? { model: info.model } : {}),
        ...(connection.memory === undefined ? {} : { database: connection.memory.name }),
      },
    });
    await this.honourWish();
    if (!connection.hasModel && this.outbox.length === 0) this.inBackground(this.firstSetup());
    await this.flushOutbox();
  }

  press(key: Key): void {
    const { screen, effects } = pressKey(this.screen, key, {
      commands: this.commands,
      now: this.options.now(),
    });
    this.store.set(screen, true);
    for (const effect of effects) this.carryOut(effect);
  }

  note(tone: "info" | "error" | "success" | "quiet" | "print" | "title", text: string): void {
    this.dispatch({ type: "note", tone, text });
  }

  /** What was typed and not sent goes into the history; then everything is closed. */
  async close(): Promise<void> {
    const draft = this.screen.prompt?.isSecret === true ? "" : expandedText(this.screen.editor);
    const unsent = [...this.outbox, ...this.screen.queue, draft].filter(
      (text) => text.trim() !== "",
    );
    for (const text of unsent) await this.remember(text);
    this.settingUp?.(undefined);
    await this.connection?.close();
    this.unsubscribe();
    this.store.close();
  }

  /** Asks over the screen itself, without a host; undefined when the person left the question. */
  ask(question: string, choices: readonly Choice[]): Promise<string | undefined> {
    return this.askHere({ question, choices, selected: 0 });
  }

  /** Like `ask`, for what nobody else may read. */
  askSecret(question: string): Promise<string | undefined> {
    return this.askHere({ question, choices: [], selected: 0, isSecret: true });
  }

  private askHere(prompt: PendingPrompt): Promise<string | undefined> {
    this.dispatch({ type: "append", items: [{ kind: "question", text: prompt.question }] });
    this.store.set({ ...this.screen, prompt }, true);
    return new Promise((resolve) => {
      this.settingUp = (answer) => {
        this.settingUp = undefined;
        this.store.set({ ...this.screen, prompt: undefined }, true);
        resolve(answer);
      };
    });
  }

  /** Shows another thread and goes on with it. */
  async resume(threadId: string): Promise<void> {
    const host = this.connection?.host;
    if (host === undefined) return;
    const info = host.list().find((thread) => thread.threadId === threadId);
    if (info === undefined) {
      this.note("error", `There is no session "${threadId}". /sessions lists them.`);
      return;
    }
    this.dispatch({ type: "thread", threadId });
    this.note("title", `Session of ${info.updatedAt.slice(0, 16).replace("T", " ")} UTC`);
    try {
      const entries = (await host.history?.(threadId)) ?? [];
      this.dispatch({ type: "append", items: itemsOfHistory(entries) });
    } catch (error) {
      this.note("error", messageOf(error));
    }
    if (info.pendingPrompt !== undefined) this.onEvent(promptEvent(info, info.pendingPrompt));
  }

  /** Earlier conversations, latest first. */
  get sessions(): readonly ThreadInfo[] {
    const threads = this.connection?.host.list() ?? [];
    return threads
      .filter((thread) => thread.messageCount > 0 && thread.threadId !== this.screen.threadId)
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  pickSession(): void {
    const now = new Date(this.options.now());
    const items = this.sessions.map((thread) => ({
      threadId: thread.threadId,
      title: stripControlLine(thread.title ?? thread.threadId).slice(0, 60),
      updatedAt: ageOf(thread.updatedAt, now),
      messageCount: thread.messageCount,
    }));
    if (items.length === 0) this.note("info", "There are no other sessions in this project.");
    else this.dispatch({ type: "picker", picker: { items, selected: 0 } });
  }

  /** `/setup`; false where this start has none. */
  async runSetup(): Promise<boolean> {
    if (this.options.setup === undefined) return false;
    await this.options.setup(this);
    return true;
  }

  leaveNow(): void {
    this.leave();
  }

  private get commands(): readonly CommandHelp[] {
    const known = this.connection?.commands ?? [];
    const names = new Set(known.map(({ name }) => name));
    return [...known, ...LOCAL_COMMANDS.filter(({ name }) => !names.has(name))].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  private onEvent(event: AgentEvent): void {
    const isDelta = event.type === "assistant.delta" || event.type === "tool.call";
    this.dispatch({ type: "event", event }, !isDelta);
    if (event.threadId === this.screen.threadId && event.type === "status") this.syncQueue();
  }

  private syncQueue(): void {
    const { threadId, queue } = this.screen;
    if (queue.length === 0) return;
    const info = this.connection?.host.list().find((thread) => thread.threadId === threadId);
    const waiting = (info?.queued ?? 0) + this.sending + this.outbox.length;
    this.dispatch({ type: "queue", waiting });
  }

  private carryOut(effect: Effect): void {
    switch (effect.type) {
      case "submit":
        this.inBackground(this.submit(effect.text));
        return;
      case "cancel":
        this.inBackground(this.cancel());
        return;
      case "exit":
        this.leave();
        return;
      case "redraw":
        this.options.redraw();
        return;
      case "paths":
        this.inBackground(this.offerPaths(effect.query));
        return;
      case "resume":
        this.inBackground(this.resume(effect.threadId));
        return;
    }
  }

  private async firstSetup(): Promise<void> {
    await this.options.setup?.(this);
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.note("error", messageOf(error)));
  }

  private async submit(text: string): Promise<void> {
    if (this.settingUp !== undefined) {
      const isCommand = text.startsWith("/");
      this.settingUp(isCommand ? undefined : text.trim());
      if (!isCommand) return;
    }
    const isReply = this.screen.prompt !== undefined;
    if (/^\/(?:exit|quit)\s*$/.test(text) && !isReply) {
      this.leave();
      return;
    }
    if (!isReply) await this.remember(text);
    if (this.connection === undefined) {
      this.outbox.push(text);
      this.dispatch({ type: "sent", text, queued: true });
      if (this.hasFailed) await this.start();
      return;
    }
    if (!isReply && (await runLocalCommand(this, text))) return;
    await this.send(text);
  }

  private async send(text: string): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    const threadId = await this.ensureThread(connection);
    const queued = this.screen.run !== undefined && this.screen.prompt === undefined;
    this.dispatch({ type: "sent", text, queued });
    this.sending += 1;
    try {
      await connection.host.send(threadId, text);
    } catch (error) {
      this.note("error", messageOf(error));
      if (this.screen.queue.includes(text)) this.dispatch({ type: "unsend" });
      else this.giveBack([text]);
    } finally {
      this.sending -= 1;
    }
    this.syncQueue();
  }

  private async ensureThread({ host }: Connection): Promise<string> {
    const { threadId } = this.screen;
    if (threadId !== undefined) return threadId;
    const created = await host.create();
    this.dispatch({ type: "thread", threadId: created.threadId });
    return created.threadId;
  }

  private async cancel(): Promise<void> {
    if (this.settingUp !== undefined) {
      this.settingUp(undefined);
      return;
    }
    const { threadId } = this.screen;
    if (threadId === undefined) return;
    this.dispatch({ type: "stopping" });
    this.dispatch({ type: "unsend" });
    await this.connection?.host.cancel(threadId);
  }

  private async flushOutbox(): Promise<void> {
    for (const text of this.outbox.splice(0)) {
      this.dispatch({ type: "queue", waiting: this.outbox.length });
      // The queue showed it; the conversation shows it again when it is sent.
      if (!(await runLocalCommand(this, text))) await this.sendTaken(text);
    }
  }

  /** Like `send` for a text that moved from the queue into the conversation already. */
  private async sendTaken(text: string): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    const threadId = await this.ensureThread(connection);
    await connection.host.send(threadId, text);
  }

  private giveBack(texts: readonly string[]): void {
    const { editor } = this.screen;
    const typed = [...texts, ...(editor.text === "" ? [] : [editor.text])].join("\n");
    if (typed !== editor.text) {
      this.store.set({ ...this.screen, queue: [], editor: setText(editor, typed) }, true);
    }
  }

  private async offerPaths(query: PathQuery): Promise<void> {
    const now = this.options.now();
    if (this.paths === undefined || now - this.paths.at > PATHS_KEPT_MS) {
      this.paths = { at: now, list: listProjectPaths(this.options.projectRoot) };
    }
    const paths = await this.paths.list;
    const { text, cursor } = this.screen.editor;
    // Another key may have come while the folders were read.
    const current = findPathQuery(text, cursor);
    if (current?.typed !== query.typed || current.from !== query.from) return;
    this.dispatch({ type: "completion", completion: completePath(current, paths) });
  }

  private async loadHistory(): Promise<void> {
    try {
      this.dispatch({ type: "history", entries: await this.options.history.load() });
    } catch (error) {
      this.note("info", `Earlier input is not available: ${messageOf(error)}`);
    }
  }

  private async remember(text: string): Promise<void> {
    try {
      await this.options.history.append(text);
    } catch (error) {
      this.note("info", `The input history was not written: ${messageOf(error)}`);
    }
  }

  private async honourWish(): Promise<void> {
    const { resume } = this.options;
    if (resume === undefined || this.screen.threadId !== undefined) return;
    if (resume.kind === "pick") this.pickSession();
    else if (resume.kind === "thread") await this.resume(resume.threadId);
    else {
      const latest = this.sessions[0];
      if (latest === undefined) this.note("info", "There is no earlier session in this project.");
      else await this.resume(latest.threadId);
    }
  }
}

function promptEvent(info: ThreadInfo, message: string): AgentEvent {
  return { type: "status", phase: "prompt", message, threadId: info.threadId, seq: 0 };
}
