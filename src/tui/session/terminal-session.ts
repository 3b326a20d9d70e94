import type { AgentEvent, CommandHelp } from "../../agent/index.ts";
import { messageOf } from "../../kernel/errors.ts";
import { stripControlLine } from "../../kernel/strip-control.ts";
import { type Editor, expandedText, insertPaste, insertText, setText } from "../editor/editor.ts";
import type { Key } from "../input/key.ts";
import { pressKey } from "../state/press-key.ts";
import type { Effect } from "../state/pressed.ts";
import { type Action, reduce } from "../state/reduce.ts";
import { permissionAnswer } from "../state/reduce-permission.ts";
import { createScreen, type NoteTone, type Screen } from "../state/screen.ts";
import { paintOf, type TerminalColors } from "../theme/paint-of.ts";
import type { Theme } from "../theme/themes.ts";
import type { Connect, Connection } from "./connection.ts";
import { gitBranch } from "./git-branch.ts";
import type { InputHistory } from "./input-history.ts";
import { allCommands } from "./local-commands.ts";
import { Mailbox } from "./mailbox.ts";
import { Models } from "./models.ts";
import { answerItem, OwnQuestions } from "./own-questions.ts";
import { PathCompleter } from "./path-completer.ts";
import { readImageFile } from "./read-image-file.ts";
import { runHere } from "./run-here.ts";
import { runShellLine } from "./run-shell-line.ts";
import type { SessionPort, Setup } from "./session-port.ts";
import { type ResumeWish, Sessions } from "./sessions.ts";
import { shownModel } from "./shown-model.ts";
import { createStore, type Store } from "./store.ts";
import { Theming } from "./theming.ts";

export interface SessionOptions {
  readonly connect: Connect;
  readonly history: InputHistory;
  /** Absolute. */
  readonly projectRoot: string;
  /** The project as the status line names it. */
  readonly cwdLabel: string;
  readonly resume?: ResumeWish;
  readonly colors: TerminalColors;
  readonly saveTheme?: (theme: Theme) => Promise<string>;
  readonly now: () => number;
  /** Clears the screen and draws it again. */
  readonly redraw: () => void;
  /** Gives the terminal back to the shell until that goes on with this program. */
  readonly suspend: () => void;
  readonly setup?: Setup;
  /** Lets the person change a text in an editor of their own; throws what keeps it from opening. */
  readonly editExternally?: (text: string) => string;
  /** Throws what keeps it from being read. */
  readonly clipboardImage?: () => Promise<Uint8Array>;
}

/** One sitting at the terminal: turns keys into actions of the agent and its events into a screen. */
export class TerminalSession implements SessionPort {
  readonly store: Store<Screen>;
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  connection: Connection | undefined;
  leave: () => void = () => undefined;
  readonly #options: SessionOptions;
  readonly sessions: Sessions;
  readonly questions = new OwnQuestions(this);
  readonly theming: Theming;
  readonly models: Models;
  readonly #mailbox = new Mailbox(this);
  readonly #paths: PathCompleter;
  #unsubscribe: () => void = () => undefined;
  #hasFailed = false;
  /** Resolves when everything submitted before was sent: messages keep their order. */
  #submitted: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    const paint = paintOf(options.colors, "auto");
    this.store = createStore(createScreen({ cwd: options.cwdLabel, paint }));
    this.sessions = new Sessions(this, options.now);
    this.theming = new Theming(this, options.colors);
    this.models = new Models(this, options.now);
    this.#paths = new PathCompleter({
      root: options.projectRoot,
      now: options.now,
      editor: () => this.screen.editor,
      resources: () =>
        this.connection?.host.mcpServers.resources().map(({ mention }) => mention) ?? [],
      show: (completion) => this.dispatch({ type: "completion", completion }),
    });
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  get screen(): Screen {
    return this.store.get();
  }

  /** What `cairn --resume` goes on with after this sitting; undefined where nothing was said. */
  get resumable(): string | undefined {
    return this.sessions.resumable;
  }

  dispatch(action: Action, isUrgent = true): void {
    this.store.set(reduce(this.screen, action, this.#options.now()), isUrgent);
  }

  show(screen: Screen): void {
    this.store.set(screen, true);
  }

  note(tone: NoteTone, text: string): void {
    this.dispatch({ type: "note", tone, text });
  }

  /** Fetches the history, opens the host, and sends what was typed meanwhile. */
  async start(): Promise<void> {
    this.#hasFailed = false;
    this.dispatch({ type: "status", status: { state: "starting" } });
    const problem = await this.#loadHistory();
    try {
      await this.connect();
      if (problem !== undefined) this.note("info", problem);
    } catch (error) {
      this.#hasFailed = true;
      this.dispatch({ type: "status", status: { state: "failed" } });
      this.note("error", messageOf(error));
      this.note("info", "Nothing was lost: correct this, then send anything to try again.");
      this.#mailbox.returnToSender();
    }
  }

  async connect(): Promise<void> {
    this.#unsubscribe();
    await this.connection?.close();
    this.connection = undefined;
    const connection = await this.#options.connect({
      onNotice: (message) => this.note("info", message),
    });
    this.connection = connection;
    this.models.forget();
    if (connection.theme !== undefined) this.theming.choose(connection.theme);
    const { host } = connection;
    const leaves = [
      host.subscribe((event) => this.#onEvent(event)),
      host.permission.attach((notice) => this.dispatch({ type: "permission", notice })),
    ];
    this.#unsubscribe = () => {
      for (const leave of leaves) leave();
    };
    this.#inBackground(this.#sayWhatConfines(host));
    this.dispatch({
      type: "status",
      status: {
        state: "ready",
        ...(connection.hasModel && { model: connection.host.info.model }),
        ...(connection.memory !== undefined && { database: connection.memory.name }),
      },
    });
    this.#inBackground(this.#lookAtBranch());
    await this.sessions.honour(this.#options.resume);
    const isFirst = !connection.hasModel && this.#mailbox.unsent.length === 0;
    if (isFirst) this.#inBackground(this.runSetup());
    await this.#mailbox.flush((text) => runHere(this, text));
  }

  press(key: Key): void {
    const { screen, effects } = pressKey(this.screen, key, {
      commands: this.commands,
      now: this.#options.now(),
    });
    this.show(screen);
    if (screen.hint !== undefined) this.#clearHintAt(screen.hint.until);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** What was typed and not sent goes into the history; then everything is closed. */
  async close(): Promise<void> {
    const { prompt, editor, queue } = this.screen;
    const draft = prompt?.isSecret === true ? "" : expandedText(editor);
    const unsent = [...this.#mailbox.unsent, ...queue, draft];
    for (const text of new Set(unsent)) await this.#keep(text);
    this.questions.leave();
    await this.connection?.close();
    this.#unsubscribe();
    this.store.close();
  }

  async changeTheme(theme: Theme): Promise<string | undefined> {
    this.theming.choose(theme);
    this.#options.redraw();
    return this.#options.saveTheme?.(theme);
  }

  async runSetup(): Promise<boolean> {
    if (this.#options.setup === undefined) return false;
    await this.#options.setup(this);
    return true;
  }

  giveBack(texts: readonly string[]): void {
    if (texts.length === 0) return;
    const { editor } = this.screen;
    const typed = [...texts, ...(editor.text === "" ? [] : [editor.text])].join("\n");
    this.show({ ...this.screen, queue: [], editor: setText(editor, typed) });
  }

  get commands(): readonly CommandHelp[] {
    const { commands = [], host } = this.connection ?? {};
    return allCommands([...commands, ...(host?.mcpServers.prompts() ?? [])]);
  }

  #onEvent(event: AgentEvent): void {
    this.dispatch({ type: "event", event }, event.type !== "assistant.delta");
    if (event.threadId === this.screen.threadId && event.type === "status") {
      this.#mailbox.sync();
      this.#showModel();
    }
    if (event.type === "status" && event.phase === "idle") this.#inBackground(this.#lookAtBranch());
  }

  /** `/model` may have changed it. */
  #showModel(): void {
    const { connection, screen } = this;
    const model = connection && shownModel(connection, screen.threadId);
    if (model !== undefined && model !== screen.status.model) {
      this.dispatch({ type: "status", status: { model } });
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case "submit":
        this.#onSubmit(effect.text);
        return;
      case "cancel":
        this.#inBackground(this.#cancel());
        return;
      case "exit":
        this.leave();
        return;
      case "redraw":
        this.#options.redraw();
        return;
      case "suspend":
        this.#options.suspend();
        return;
      case "mode":
        this.#nextMode();
        return;
      case "edit":
        this.#edit();
        return;
      case "image":
        this.#inBackground(this.#insertImage(effect));
        return;
      case "paths":
        this.#paths.offer(effect.query);
        return;
      case "models":
        this.#inBackground(this.models.offer(effect.query));
        return;
      case "resume":
        this.#inBackground(this.sessions.resume(effect.threadId));
        return;
      case "fork":
        this.#inBackground(this.sessions.fork(effect.threadId));
        return;
      case "rename":
        this.#inBackground(this.sessions.rename(effect.threadId, effect.title));
        return;
    }
  }

  /** Known once the sandbox was tried out, which the prompt does not wait for. */
  async #sayWhatConfines(host: Connection["host"]): Promise<void> {
    await host.permission.settled;
    const { sandbox, permissionMode } = host.info;
    this.dispatch({ type: "status", status: { sandbox, permissionMode } });
    // Who has switched both off knows it; the status line shows it still.
    if (sandbox === OFF_BY_SETTING && permissionMode === "auto") return;
    this.note("quiet", startLine(sandbox, permissionMode));
  }

  async #lookAtBranch(): Promise<void> {
    const branch = await gitBranch(this.#options.projectRoot);
    if (branch !== undefined) {
      this.dispatch({ type: "status", status: { branch: stripControlLine(branch) } });
    }
  }

  /** Everything stands still meanwhile, so nothing may be at work. */
  #edit(): void {
    const { editor, run, prompt } = this.screen;
    const { editExternally } = this.#options;
    if (editExternally === undefined || prompt?.isSecret === true) return;
    if (run !== undefined) {
      this.note("info", "Your editor opens once nothing runs.");
      return;
    }
    try {
      const text = editExternally(expandedText(editor));
      this.show({ ...this.screen, editor: setText(editor, text) });
    } catch (error) {
      this.note("error", messageOf(error));
    }
  }

  /** What names no file that is there stays the text that it is. */
  async #insertImage({ file, pasted }: Extract<Effect, { type: "image" }>): Promise<void> {
    const { host } = this.connection ?? {};
    const bytes =
      file === undefined ? await this.#options.clipboardImage?.() : await readImageFile(file);
    if (bytes === undefined || host === undefined) {
      if (pasted !== undefined) this.#insert((editor) => insertPaste(editor, pasted));
      else this.note("info", "Images can be pasted once the session is ready.");
      return;
    }
    const mention = await host.keepImage(bytes);
    this.#insert((editor) => insertText(editor, `${mention} `));
  }

  #insert(change: (editor: Editor) => Editor): void {
    this.show({ ...this.screen, editor: change(this.screen.editor) });
  }

  #nextMode(): void {
    const permission = this.connection?.host.permission;
    if (permission === undefined) return;
    this.dispatch({ type: "status", status: { permissionMode: permission.cycleMode() } });
  }

  #answerQuestion(questionId: string, text: string): void {
    const { threadId, prompt } = this.screen;
    if (threadId === undefined || prompt === undefined) return;
    this.dispatch({ type: "append", items: [answerItem(prompt, text)] });
    try {
      const answer = { ...permissionAnswer(text), by: "terminal" };
      this.connection?.host.permission.answer(threadId, questionId, answer);
    } catch (error) {
      this.note("error", messageOf(error));
    }
  }

  #onSubmit(text: string): void {
    const questionId = this.screen.prompt?.questionId;
    if (questionId !== undefined) {
      this.#answerQuestion(questionId, text);
      return;
    }
    if (this.questions.isOpen) {
      // A command leaves the question: memory works while there is no model.
      if (!text.startsWith("/")) {
        this.questions.answer(text.trim());
        return;
      }
      this.questions.leave();
    }
    const isReply = this.screen.prompt !== undefined;
    if (!isReply && /^\/(?:exit|quit)\s*$/.test(text)) {
      this.leave();
      return;
    }
    if (!isReply && /^!\s*\S/.test(text)) {
      this.#inBackground(this.#runShellLine(text));
      return;
    }
    this.#submitted = this.#submitted.then(() => this.#submit(text, isReply));
    this.#inBackground(this.#submitted);
  }

  /** Beside whatever runs, and without the agent. */
  async #runShellLine(text: string): Promise<void> {
    await this.#keep(text);
    const done = await runShellLine(text.slice(1).trim(), this.#options.projectRoot);
    this.dispatch({ type: "append", items: [done] });
  }

  async #submit(text: string, isReply: boolean): Promise<void> {
    if (!isReply) await this.#keep(text);
    const isHere = !isReply && this.connection !== undefined && (await this.#runHere(text));
    if (isHere) return;
    await this.#mailbox.send(text);
    if (this.#hasFailed) await this.start();
  }

  /** A command that asks questions must not hold up their answers, nor a browser what is typed. */
  async #runHere(text: string): Promise<boolean> {
    if (/^\/mcp\s+login\s/.test(text)) {
      this.#inBackground(runHere(this, text));
      return true;
    }
    if (!/^\/setup\s*$/.test(text)) return runHere(this, text);
    this.#inBackground(this.runSetup());
    return this.#options.setup !== undefined;
  }

  #clearHintAt(until: number): void {
    setTimeout(() => this.dispatch({ type: "tick" }), until - this.#options.now()).unref();
  }

  async #cancel(): Promise<void> {
    if (this.questions.isOpen) {
      this.questions.leave();
      return;
    }
    const { threadId } = this.screen;
    this.dispatch({ type: "stopping" });
    this.dispatch({ type: "unsend" });
    if (threadId !== undefined) await this.connection?.host.cancel(threadId, { queued: "drop" });
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.note("error", messageOf(error)));
  }

  /** Returns a sentence when there is no history to be had. */
  async #loadHistory(): Promise<string | undefined> {
    try {
      this.dispatch({ type: "history", entries: await this.#options.history.load() });
      return undefined;
    } catch (error) {
      return `Earlier input is not available: ${messageOf(error)}`;
    }
  }

  async #keep(text: string): Promise<void> {
    try {
      await this.#options.history.append(text);
    } catch (error) {
      this.note("info", `The input history was not written: ${messageOf(error)}`);
    }
  }
}

const OFF_BY_SETTING = "off (by setting)";

/** What confines and what asks, in one line. */
function startLine(sandbox: string, mode: string): string {
  const confined = sandbox.startsWith("off")
    ? `No sandbox confines commands: ${sandbox}.`
    : `Commands are confined by ${sandbox}.`;
  return `${confined} Mode ${mode}; shift+tab changes it.`;
}
