import type { CommandHelp, HistoryEntry, ThreadInfo } from "../../agent/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import { messageOf } from "../../shared/errors.ts";
import { stripControl, stripControlLine } from "../../shared/text.ts";
import { groupReads } from "../state/group-reads.ts";
import type { FinishedItem } from "../state/screen.ts";
import { THEMES, type Theme } from "../theme/paint.ts";
import { formatModel } from "./connection.ts";
import type { LocalQuestions, Models, ScreenPort, ThemeControl } from "./local-prompts.ts";
import { createPicker, findLastWithMessages, listPastSessions } from "./past-sessions.ts";

/** `pick`: choose from a list; `latest`: the most recent. */
export type ResumeRequest =
  | { readonly kind: "pick" }
  | { readonly kind: "latest" }
  | { readonly kind: "thread"; readonly threadId: string };

export class Sessions {
  readonly #session: ScreenPort;
  readonly #now: () => number;

  constructor(session: ScreenPort, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  get resumable(): string | undefined {
    const current = this.#threads.find(
      ({ threadId }) => threadId === this.#session.screen.threadId,
    );
    return current === undefined
      ? undefined
      : findLastWithMessages(this.#threads, current).threadId;
  }

  async resume(requestedId: string): Promise<void> {
    const session = this.#session;
    const host = session.connection?.host;
    if (host === undefined) return;
    const { threadId, updatedAt, pendingPermission, pendingPrompt } = findLastWithMessages(
      host.list(),
      host.find(requestedId),
    );
    session.dispatch({ type: "thread", threadId });
    session.note("title", `Session of ${updatedAt.slice(0, 16).replace("T", " ")} UTC`);
    try {
      const entries = (await host.history?.(threadId)) ?? [];
      session.dispatch({ type: "append", items: createHistoryItems(entries) });
    } catch (error) {
      session.note("error", messageOf(error));
    }
    const model = session.connection && formatModel(session.connection, threadId);
    if (model !== undefined) session.dispatch({ type: "status", status: { model } });
    if (pendingPermission !== undefined) {
      const notice = { type: "permission.ask" as const, question: pendingPermission };
      session.dispatch({ type: "permission", notice });
    }
    if (pendingPrompt === undefined) return;
    const promptEvent = { type: "status", phase: "prompt", message: pendingPrompt } as const;
    session.dispatch({ type: "event", event: { ...promptEvent, threadId, seq: 0 } });
  }

  async fork(threadId: string): Promise<void> {
    const forked = await this.#session.connection?.host.fork(threadId);
    if (forked !== undefined) await this.resume(forked.threadId);
  }

  async rename(threadId: string, title: string): Promise<void> {
    await this.#session.connection?.host.rename(threadId, title);
  }

  pick(): void {
    const picker = createPicker(this.#past, new Date(this.#now()));
    if (picker.items.length > 0) this.#session.dispatch({ type: "picker", picker });
    else this.#session.note("info", "There are no other sessions in this project.");
  }

  async honour(request: ResumeRequest | undefined): Promise<void> {
    if (request === undefined || this.#session.screen.threadId !== undefined) return;
    if (request.kind === "pick") {
      this.pick();
      return;
    }
    const threadId = request.kind === "thread" ? request.threadId : this.#past[0]?.threadId;
    if (threadId === undefined) {
      this.#session.note("info", "There is no earlier session in this project.");
      return;
    }
    await this.resume(threadId).catch((error: unknown) =>
      this.#session.note("error", messageOf(error)),
    );
  }

  get #threads(): readonly ThreadInfo[] {
    return this.#session.connection?.host.list() ?? [];
  }

  get #past(): readonly ThreadInfo[] {
    return listPastSessions(this.#threads, this.#session.screen.threadId);
  }
}

export function createHistoryItems(entries: readonly HistoryEntry[]): readonly FinishedItem[] {
  const items = entries.map((entry): FinishedItem => {
    if (entry.role === "user") return { kind: "user", text: stripControl(entry.text) };
    if (entry.role === "assistant") {
      return { kind: "assistant", text: stripControl(entry.text), continues: false };
    }
    const name = stripControlLine(entry.text);
    const about = describeCall(name, entry.args ?? {});
    const summary = stripControl(entry.failure ?? "");
    const isError = entry.failure !== undefined;
    return { kind: "tool", name, about, summary, isError, unfolded: false };
  });
  return groupReads(items);
}

export class MessageOutbox {
  readonly #session: SessionPort;
  readonly #outbox: string[] = [];
  #sending = 0;

  constructor(session: SessionPort) {
    this.#session = session;
  }

  get unsent(): readonly string[] {
    return this.#outbox;
  }

  async send(text: string): Promise<void> {
    const { connection, screen } = this.#session;
    if (connection === undefined) {
      this.#outbox.push(text);
      this.#session.dispatch({ type: "sent", text, queued: true });
      return;
    }
    const threadId = await this.#ensureThread();
    const queued = screen.run !== undefined && screen.prompt === undefined;
    this.#session.dispatch({ type: "sent", text, queued });
    await this.#deliver(threadId, text);
  }

  async flush(runLocally: (text: string) => Promise<boolean>): Promise<void> {
    for (let text = this.#outbox.shift(); text !== undefined; text = this.#outbox.shift()) {
      this.#session.dispatch({ type: "queue", waiting: this.#outbox.length });
      if (!(await runLocally(text))) await this.#deliver(await this.#ensureThread(), text);
    }
  }

  returnToSender(): void {
    this.#session.giveBack(this.#outbox.splice(0));
  }

  sync(): void {
    const { connection, screen } = this.#session;
    if (screen.queue.length === 0) return;
    const info = connection?.host.list().find((thread) => thread.threadId === screen.threadId);
    const waiting = (info?.queued ?? 0) + this.#sending + this.#outbox.length;
    this.#session.dispatch({ type: "queue", waiting });
  }

  async #deliver(threadId: string, text: string): Promise<void> {
    const session = this.#session;
    this.#sending += 1;
    try {
      await session.connection?.host.send(threadId, text);
    } catch (error) {
      session.note("error", messageOf(error));
      if (session.screen.queue.includes(text)) session.dispatch({ type: "unsend" });
      else session.giveBack([text]);
    } finally {
      this.#sending -= 1;
    }
    this.sync();
  }

  /** Created with the first message, so that a start without one leaves no thread. */
  async #ensureThread(): Promise<string> {
    const { connection, screen } = this.#session;
    if (screen.threadId !== undefined) return screen.threadId;
    const created = await connection?.host.create();
    const threadId = created?.threadId ?? "";
    this.#session.dispatch({ type: "thread", threadId });
    return threadId;
  }
}

export interface SessionPort extends ScreenPort {
  readonly sessions: Sessions;
  readonly questions: LocalQuestions;
  readonly theming: ThemeControl;
  readonly models: Models;
  changeTheme(theme: Theme): Promise<string | undefined>;
  readonly commands: readonly CommandHelp[];
  connect(): Promise<void>;
  /** Returns false if setup is unavailable. */
  runSetup(): Promise<boolean>;
  giveBack(texts: readonly string[]): void;
  leave(): void;
}

export type Setup = (session: SessionPort) => Promise<void>;

interface LocalCommand extends CommandHelp {
  run(session: SessionPort, args: string): Promise<boolean>;
}

const KEY_HELP = [
  "Enter sends; Shift-Enter, Alt-Enter, Ctrl-J or a backslash at the end starts a new line.",
  "Up and Down move between lines, then through the history.",
  "Ctrl-R searches the history, Ctrl-G opens $EDITOR.",
  "Tab completes commands after / and paths after @; ? alone offers this help.",
  "A line that begins with ! runs as a shell command: !git status.",
  "Ctrl-V pastes an image from the clipboard; image files can be dropped into the terminal.",
  "Ctrl-S saves the suggested memories at the end of a task.",
  "Esc stops the run; pressed twice while idle, it returns to an earlier message (/undo).",
  "Ctrl-C stops or clears; pressed twice, it exits. Ctrl-D exits.",
  "Ctrl-Z suspends cairn; fg resumes it.",
  "Ctrl-O expands the last result, Ctrl-L redraws the screen.",
  "Ctrl-A, Ctrl-E, Alt-B, Alt-F, Ctrl-W, Ctrl-U, Ctrl-K, Ctrl-Y edit as in a shell.",
].join("\n");

/** Commands of the screen itself; all others belong to the agent. */
const LOCAL_COMMANDS: readonly LocalCommand[] = [
  { name: "exit", summary: "Leave", run: exitSession },
  { name: "quit", summary: "Leave", run: exitSession },
  {
    name: "keys",
    summary: "Show keyboard shortcuts",
    run: async (session) => {
      session.note("print", KEY_HELP);
      return true;
    },
  },
  {
    name: "model",
    usage: "[name]",
    summary: "Choose the model of this session",
    run: async (session, args) => {
      if (args.trim() !== "") return false;
      await session.models.pick();
      return true;
    },
  },
  {
    name: "theme",
    usage: `[${THEMES.join("|")}]`,
    summary: "Show or change the color theme",
    run: changeTheme,
  },
  {
    name: "setup",
    summary: "Choose the provider and model",
    run: (session) => session.runSetup(),
  },
];

export async function runLocalCommand(session: SessionPort, text: string): Promise<boolean> {
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const command = LOCAL_COMMANDS.find((known) => known.name === name.toLowerCase());
  return command === undefined ? false : command.run(session, args);
}

export function drawHelp(commands: readonly CommandHelp[]): string {
  const lines = allCommands(commands).map(({ name, usage, summary }) => {
    const typed = usage === undefined ? `/${name}` : `/${name} ${usage}`;
    return `- \`${typed}\` ${summary}`;
  });
  return `${lines.join("\n")}\n\n${KEY_HELP}`;
}

export function allCommands(ofAgent: readonly CommandHelp[]): readonly CommandHelp[] {
  const names = new Set(ofAgent.map(({ name }) => name));
  const all = [...ofAgent, ...LOCAL_COMMANDS.filter(({ name }) => !names.has(name))];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function exitSession(session: SessionPort): Promise<boolean> {
  session.leave();
  return true;
}

async function changeTheme(session: SessionPort, args: string): Promise<boolean> {
  const { theming } = session;
  const selectedTheme = THEMES.find((theme) => theme === args.trim().toLowerCase());
  if (args.trim() === "") {
    const now = theming.theme === "auto" ? `auto (${session.screen.paint})` : theming.theme;
    const off = theming.colors.isOff ? " NO_COLOR is set, so colors are off." : "";
    session.note("info", `The theme is ${now}. /theme ${THEMES.join("|")} changes it.${off}`);
  } else if (selectedTheme === undefined) {
    session.note("error", `"${args.trim()}" is not a theme: ${THEMES.join(", ")}.`);
  } else {
    try {
      const file = await session.changeTheme(selectedTheme);
      session.note(
        "success",
        `The theme is ${selectedTheme}${file === undefined ? "" : ` (${file})`}.`,
      );
    } catch (error) {
      session.note(
        "error",
        `The theme is ${selectedTheme} for this session, but could not be saved: ${messageOf(error)}`,
      );
    }
  }
  return true;
}
