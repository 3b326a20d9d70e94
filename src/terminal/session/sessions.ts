import type { HistoryEntry, ThreadInfo } from "../../agent/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import { messageOf } from "../../shared/errors.ts";
import { stripControl, stripControlLine } from "../../shared/text.ts";
import { withReadsGrouped } from "../state/reads.ts";
import type { FinishedItem } from "../state/screen.ts";
import { lastWithWords, pastSessions, pickerOf } from "./past-sessions.ts";
import type { ScreenPort } from "./screen-port.ts";
import { shownModel } from "./shown-model.ts";

/** `pick`: choose from a list; `latest`: the one used last. */
export type ResumeWish =
  | { readonly kind: "pick" }
  | { readonly kind: "latest" }
  | { readonly kind: "thread"; readonly threadId: string };

/** Earlier conversations of the project, and the way from one to another. */
export class Sessions {
  readonly #session: ScreenPort;
  /** Milliseconds since the epoch. */
  readonly #now: () => number;

  constructor(session: ScreenPort, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  /** What can be gone on with after this sitting; undefined where nothing was said. */
  get resumable(): string | undefined {
    const current = this.#threads.find(
      ({ threadId }) => threadId === this.#session.screen.threadId,
    );
    return current === undefined ? undefined : lastWithWords(this.#threads, current).threadId;
  }

  /** Shows another thread, by its id or the beginning of it, and goes on with it. Throws not_found. */
  async resume(wanted: string): Promise<void> {
    const session = this.#session;
    const host = session.connection?.host;
    if (host === undefined) return;
    const { threadId, updatedAt, pendingPermission, pendingPrompt } = lastWithWords(
      host.list(),
      host.find(wanted),
    );
    session.dispatch({ type: "thread", threadId });
    session.note("title", `Session of ${updatedAt.slice(0, 16).replace("T", " ")} UTC`);
    try {
      const entries = (await host.history?.(threadId)) ?? [];
      session.dispatch({ type: "append", items: itemsOfHistory(entries) });
    } catch (error) {
      session.note("error", messageOf(error));
    }
    const model = session.connection && shownModel(session.connection, threadId);
    if (model !== undefined) session.dispatch({ type: "status", status: { model } });
    if (pendingPermission !== undefined) {
      const notice = { type: "permission.ask" as const, question: pendingPermission };
      session.dispatch({ type: "permission", notice });
    }
    if (pendingPrompt === undefined) return;
    const asked = { type: "status", phase: "prompt", message: pendingPrompt } as const;
    session.dispatch({ type: "event", event: { ...asked, threadId, seq: 0 } });
  }

  async fork(threadId: string): Promise<void> {
    const forked = await this.#session.connection?.host.fork(threadId);
    if (forked !== undefined) await this.resume(forked.threadId);
  }

  async rename(threadId: string, title: string): Promise<void> {
    await this.#session.connection?.host.rename(threadId, title);
  }

  pick(): void {
    const picker = pickerOf(this.#past, new Date(this.#now()));
    if (picker.items.length > 0) this.#session.dispatch({ type: "picker", picker });
    else this.#session.note("info", "There are no other sessions in this project.");
  }

  async honour(wish: ResumeWish | undefined): Promise<void> {
    if (wish === undefined || this.#session.screen.threadId !== undefined) return;
    if (wish.kind === "pick") {
      this.pick();
      return;
    }
    const wanted = wish.kind === "thread" ? wish.threadId : this.#past[0]?.threadId;
    if (wanted === undefined) {
      this.#session.note("info", "There is no earlier session in this project.");
      return;
    }
    await this.resume(wanted).catch((error: unknown) =>
      this.#session.note("error", messageOf(error)),
    );
  }

  get #threads(): readonly ThreadInfo[] {
    return this.#session.connection?.host.list() ?? [];
  }

  get #past(): readonly ThreadInfo[] {
    return pastSessions(this.#threads, this.#session.screen.threadId);
  }
}

export function itemsOfHistory(entries: readonly HistoryEntry[]): readonly FinishedItem[] {
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
  return withReadsGrouped(items);
}
