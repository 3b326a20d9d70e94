import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentEvent, CommandHelp } from "../../agent/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { stripControlLine } from "../../shared/text.ts";
import { expandedText, setText } from "../editor/editor.ts";
import type { Key } from "../input/key-decoder.ts";
import { pressKey } from "../state/press-key.ts";
import { type Action, reduce } from "../state/reduce.ts";
import { createScreen, type NoteTone, type Screen } from "../state/screen.ts";
import type { Theme } from "../theme/paint.ts";
import { choosePaint, type TerminalColors } from "../theme/paint.ts";
import type { Connect, Connection } from "./connection.ts";
import { formatModel } from "./connection.ts";
import type { InputHistory } from "./input-history.ts";
import { type EffectTools, KeyEffects } from "./key-effects.ts";
import type { SessionPort, Setup } from "./local-commands.ts";
import { allCommands, MessageOutbox, type ResumeRequest, Sessions } from "./local-commands.ts";
import type { ScreenPort } from "./local-prompts.ts";
import { LocalQuestions, Models, ThemeControl } from "./local-prompts.ts";
import { createStore, type Store } from "./store.ts";
import { runLocally, Submissions } from "./submissions.ts";

class TypedHistory {
  readonly #screen: Pick<ScreenPort, "dispatch" | "note">;
  readonly #history: InputHistory;

  constructor(screen: Pick<ScreenPort, "dispatch" | "note">, history: InputHistory) {
    this.#screen = screen;
    this.#history = history;
  }

  async load(): Promise<string | undefined> {
    try {
      this.#screen.dispatch({ type: "history", entries: await this.#history.load() });
      return undefined;
    } catch (error) {
      return `Earlier input is not available: ${messageOf(error)}`;
    }
  }

  async storeOffers(text: string): Promise<void> {
    try {
      await this.#history.append(text);
    } catch (error) {
      this.#screen.note("info", `The input history was not written: ${messageOf(error)}`);
    }
  }
}

const OFF_BY_SETTING = "off (by setting)";

async function showConfinement(session: ScreenPort, host: Connection["host"]): Promise<void> {
  await host.permission.settled;
  const { sandbox, permissionMode } = host.info;
  session.dispatch({ type: "status", status: { sandbox, permissionMode } });
  if (sandbox === OFF_BY_SETTING && permissionMode === "auto") return;
  session.note("quiet", formatStartLine(sandbox, permissionMode));
}

function formatStartLine(sandbox: string, mode: string): string {
  const confined = sandbox.startsWith("off")
    ? `No sandbox confines commands: ${sandbox}.`
    : `Commands are confined by ${sandbox}.`;
  return `${confined} Mode ${mode}; shift+tab changes it.`;
}

export interface SessionOptions extends EffectTools {
  readonly connect: Connect;
  readonly history: InputHistory;
  readonly cwdLabel: string;
  readonly resume?: ResumeRequest;
  readonly colors: TerminalColors;
  readonly saveTheme?: (theme: Theme) => Promise<string>;
  readonly setup?: Setup;
}

/** Translates keys into agent actions, and agent events into screen updates. */
export class TerminalSession implements SessionPort {
  readonly store: Store<Screen>;
  readonly left: Promise<void>;
  connection: Connection | undefined;
  leave: () => void = () => undefined;
  readonly #options: SessionOptions;
  readonly sessions: Sessions;
  readonly questions = new LocalQuestions(this);
  readonly theming: ThemeControl;
  readonly models: Models;
  readonly #mailbox = new MessageOutbox(this);
  readonly #typed: TypedHistory;
  readonly #effects: KeyEffects;
  #unsubscribe: () => void = () => undefined;
  #hasFailed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const paint = choosePaint(options.colors, "auto");
    this.store = createStore(createScreen({ cwd: options.cwdLabel, paint }));
    this.sessions = new Sessions(this, options.now);
    this.theming = new ThemeControl(this, options.colors);
    this.models = new Models(this, options.now);
    this.#typed = new TypedHistory(this, options.history);
    const submissions = new Submissions({
      session: this,
      mailbox: this.#mailbox,
      projectRoot: options.projectRoot,
      hasSetup: options.setup !== undefined,
      append: (text) => this.#typed.storeOffers(text),
      inBackground: (work) => this.#inBackground(work),
      startAgain: async () => {
        if (this.#hasFailed) await this.start();
      },
    });
    this.#effects = new KeyEffects({
      session: this,
      submissions,
      tools: options,
      inBackground: (work) => this.#inBackground(work),
    });
    this.left = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  get screen(): Screen {
    return this.store.get();
  }

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

  async start(): Promise<void> {
    this.#hasFailed = false;
    this.dispatch({ type: "status", status: { state: "starting" } });
    const problem = await this.#typed.load();
    try {
      await this.connect();
      if (problem !== undefined) this.note("info", problem);
    } catch (error) {
      this.#hasFailed = true;
      this.dispatch({ type: "status", status: { state: "failed" } });
      this.note("error", messageOf(error));
      this.note(
        "info",
        "Your message is still queued. Fix the problem, then send any message to retry.",
      );
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
      for (const unsubscribe of leaves) unsubscribe();
    };
    this.#inBackground(showConfinement(this, host));
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
    await this.#mailbox.flush((text) => runLocally(this, text));
  }

  press(key: Key): void {
    const { screen, effects } = pressKey(this.screen, key, {
      commands: this.commands,
      now: this.#options.now(),
    });
    this.show(screen);
    if (screen.hint !== undefined) this.#clearHintAt(screen.hint.until);
    for (const effect of effects) this.#effects.carryOut(effect);
  }

  async close(): Promise<void> {
    const { prompt, editor, queue } = this.screen;
    const draft = prompt?.isSecret === true ? "" : expandedText(editor);
    const unsent = [...this.#mailbox.unsent, ...queue, draft];
    for (const text of new Set(unsent)) await this.#typed.storeOffers(text);
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

  #showModel(): void {
    const { connection, screen } = this;
    const model = connection && formatModel(connection, screen.threadId);
    if (model !== undefined && model !== screen.status.model) {
      this.dispatch({ type: "status", status: { model } });
    }
  }

  async #lookAtBranch(): Promise<void> {
    const branch = await readGitBranch(this.#options.projectRoot);
    if (branch !== undefined) {
      this.dispatch({ type: "status", status: { branch: stripControlLine(branch) } });
    }
  }

  #clearHintAt(until: number): void {
    setTimeout(() => this.dispatch({ type: "tick" }), until - this.#options.now()).unref();
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.note("error", messageOf(error)));
  }
}

async function readGitBranch(root: string): Promise<string | undefined> {
  try {
    const head = await readFile(join(await findGitFolder(root), "HEAD"), "utf8");
    const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
    return branch ?? /^[0-9a-f]{7}/.exec(head)?.[0];
  } catch {
    return undefined;
  }
}

async function findGitFolder(root: string): Promise<string> {
  const dotGit = join(root, ".git");
  const named = await readFile(dotGit, "utf8").catch(() => "");
  const target = /^gitdir: (.+)$/m.exec(named)?.[1];
  return target === undefined ? dotGit : resolve(root, target.trim());
}
