import { type Signal, signal } from "@preact/signals";
import type { Call, Entry, NoteTone, SubagentNews } from "./entry.ts";

/** Minimum interval in milliseconds between two renders of streamed text. */
const RENEWAL_MS = 40;
const MAX_ENTRIES = 4_000;

type Growing = "assistant" | "thinking";

export class EntryList {
  readonly entries: Signal<readonly Signal<Entry>[]> = signal([]);
  readonly #calls = new Map<string, Signal<Entry>>();
  #open: Signal<Entry> | undefined;
  #buffer = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(entry: Entry): Signal<Entry> {
    const added = signal(entry);
    this.entries.value = [...this.entries.peek().slice(1 - MAX_ENTRIES), added];
    return added;
  }

  note(tone: NoteTone, text: string): void {
    this.add({ kind: "note", tone, text });
  }

  call(call: Call): void {
    this.close();
    this.#calls.set(call.callId, this.add(call));
  }

  /** Returns false if the call does not exist here. */
  changeCall(callId: string, change: Partial<Call>): boolean {
    const call = this.#calls.get(callId);
    const previous = call?.peek();
    if (call === undefined || previous?.kind !== "call") return false;
    call.value = { ...previous, ...change };
    return true;
  }

  grow(kind: Growing, text: string): void {
    if (this.#open?.peek().kind !== kind) {
      this.close();
      this.#open = this.add({ kind, text, isOpen: true });
      return;
    }
    this.#buffer += text;
    this.#timer ??= setTimeout(() => this.#flush(), RENEWAL_MS);
  }

  done(text: string): void {
    if (this.#open?.peek().kind === "assistant") {
      this.#buffer = "";
      this.#open.value = { kind: "assistant", text, isOpen: false };
      this.#open = undefined;
      return;
    }
    this.close();
    if (text !== "") this.add({ kind: "assistant", text, isOpen: false });
  }

  close(): void {
    this.#flush();
    const open = this.#open?.peek();
    if (this.#open !== undefined && open !== undefined && "isOpen" in open) {
      this.#open.value = { ...open, isOpen: false };
    }
    this.#open = undefined;
  }

  /** Replaces all entries. */
  replace(entries: readonly Entry[]): void {
    this.close();
    this.#calls.clear();
    this.entries.value = entries.map((entry) => signal(entry));
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const open = this.#open?.peek();
    if (this.#open !== undefined && open !== undefined && "isOpen" in open && this.#buffer !== "") {
      this.#open.value = { ...open, text: open.text + this.#buffer };
    }
    this.#buffer = "";
  }
}

/** A subagent's work, shown as a thread within the thread. */
export interface Subagent {
  readonly id: string;
  readonly list: EntryList;
  readonly news: Signal<SubagentNews>;
}

/** The subagents of a thread, in start order. */
export class Subagents {
  readonly all: Signal<readonly Subagent[]> = signal([]);

  find(id: string | undefined): Subagent | undefined {
    return this.all.peek().find((one) => one.id === id);
  }

  take(news: SubagentNews): Subagent | undefined {
    const known = this.find(news.id);
    if (known === undefined) {
      const started = { id: news.id, list: new EntryList(), news: signal(news) };
      this.all.value = [...this.all.peek(), started];
      return started;
    }
    known.news.value = news;
    if (news.state !== "running") known.list.close();
    return undefined;
  }

  clear(): void {
    this.all.value = [];
  }
}
