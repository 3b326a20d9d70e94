import { batch, type Signal, signal } from "@preact/signals";
import { describeCall } from "../../kernel/describe-call.ts";
import type { ServerMessage } from "../../ui-server/index.ts";
import type {
  Call,
  Choice,
  Entry,
  HistoryEntry,
  NoteTone,
  Queued,
  Status,
  Task,
  Usage,
} from "./entry.ts";

/** A question of a flow, which the next message answers. */
export interface Prompt {
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** Words come in small pieces: what is seen is renewed so often, milliseconds. */
const RENEWAL_MS = 40;
/** Entries of a thread that are kept on the page, the last ones. */
const MOST_ENTRIES = 4_000;

/**
 * What was said and done on one thread. Each entry is a signal of its own, so that a word that comes
 * draws one paragraph and not the whole thread.
 */
export class ThreadLog {
  readonly entries: Signal<readonly Signal<Entry>[]> = signal([]);
  readonly prompt: Signal<Prompt | undefined> = signal(undefined);
  readonly tasks: Signal<readonly Task[]> = signal([]);
  readonly usage: Signal<Usage | undefined> = signal(undefined);
  /** Messages that wait for the run, which can be changed still. */
  readonly queue: Signal<readonly Queued[]> = signal([]);
  readonly isRunning: Signal<boolean> = signal(false);
  /** What the model is about: "thinking", "writing the arguments of edit, 4,000 characters". */
  readonly doing: Signal<string> = signal("");
  /** Of the last event that was taken. */
  lastSeq = 0;
  readonly #calls = new Map<string, Signal<Entry>>();
  #open: Signal<Entry> | undefined;
  #late = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes an event of this thread, once and in order. False: some before it are missing. */
  take(message: ServerMessage): boolean {
    const { payload } = message;
    const seq = "seq" in payload ? payload.seq : undefined;
    if (seq !== undefined) {
      if (seq <= this.lastSeq) return true;
      if (seq > this.lastSeq + 1 && this.lastSeq > 0) return false;
      this.lastSeq = seq;
    }
    batch(() => this.#take(message));
    return true;
  }

  /** What this page has sent; it stands there until the server says what became of it. */
  say(text: string): void {
    this.#add({ kind: "user", text, state: "sent" });
  }

  /** What waits stands in the list of what waits, and in the stream once it is read. */
  takeQueue(queue: readonly Queued[]): void {
    const isQueued = (entry: Entry) => entry.kind === "user" && entry.state === "queued";
    batch(() => {
      this.queue.value = queue;
      this.entries.value = this.entries.peek().filter((entry) => !isQueued(entry.peek()));
    });
  }

  note(tone: NoteTone, text: string): void {
    this.#add({ kind: "note", tone, text });
  }

  /** Begins afresh from what the server still has of the conversation. */
  restore(history: readonly HistoryEntry[]): void {
    batch(() => {
      this.#close();
      this.#calls.clear();
      const last = this.entries.peek().at(-1)?.peek();
      const said = history.map(entryOfHistory);
      // What was done just now is not part of the conversation.
      const entries = last?.kind === "note" ? [...said, last] : said;
      this.entries.value = entries.map((entry) => signal(entry));
    });
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case "assistant.delta":
        this.#grow("assistant", message.payload.text, message.payload.contextLabel);
        break;
      case "assistant.done":
        this.#done(message.payload);
        break;
      case "tool.call": {
        const { callId, name, args, contextLabel: label } = message.payload;
        this.#close();
        this.doing.value = "";
        const about = describeCall(name, args);
        const call = this.#add({ kind: "call", callId, name, about, args, label });
        this.#calls.set(callId, call);
        break;
      }
      case "tool.result": {
        const { callId, summary, diff, output, isError } = message.payload;
        this.#change(callId, { output: undefined, result: { summary, diff, output, isError } });
        break;
      }
      case "status":
        this.#status(message.payload);
        break;
      case "error":
        this.#close();
        this.note("error", message.payload.message);
        break;
      default:
        break;
    }
  }

  #status(status: Status): void {
    const { phase, message: text = "" } = status;
    switch (phase) {
      case "running":
        this.isRunning.value = true;
        this.prompt.value = undefined;
        if (status.said !== undefined) this.#settle(status.said, "said");
        break;
      case "idle":
        this.#close();
        this.isRunning.value = false;
        this.doing.value = "";
        if (status.usage !== undefined) this.usage.value = status.usage;
        break;
      case "queued":
        this.#settle(text, "queued");
        break;
      case "interjection":
        this.#settle(text, "said");
        break;
      case "prompt":
        this.#close();
        this.prompt.value = { text, choices: status.choices ?? [] };
        break;
      case "thinking":
        this.doing.value = "thinking";
        this.#grow("thinking", text, undefined);
        break;
      case "calling":
        this.doing.value = `writing ${text}, ${(status.size ?? 0).toLocaleString("en")} characters`;
        break;
      case "output":
        this.#change(status.callId ?? "", { output: text });
        break;
      case "memory":
      case "offer":
      case "learned":
        this.#add({ kind: "memory", what: phase, text, memories: status.memories ?? [] });
        break;
      case "print":
        this.#add({ kind: "print", text });
        break;
      case "aborted":
        this.#close();
        this.prompt.value = undefined;
        this.note("aborted", text === "" ? "Stopped." : text);
        break;
      case "success":
        this.note("success", text);
        break;
      case "handover":
      case "info":
        if (status.progress !== undefined) this.tasks.value = status.progress;
        else if (text !== "") this.note("info", text);
        break;
      default:
        break;
    }
  }

  /** The person's words, sent here or by another client, and what became of them. */
  #settle(text: string, state: "queued" | "said"): void {
    this.#close();
    const waiting = this.entries
      .peek()
      .find(
        ({ value }) => value.kind === "user" && value.state !== "said" && isSame(value.text, text),
      );
    if (waiting === undefined) this.#add({ kind: "user", text, state });
    else if (state === "queued") waiting.value = { kind: "user", text, state };
    else {
      // It is answered now, so it stands where the answer begins.
      this.entries.value = this.entries.peek().filter((entry) => entry !== waiting);
      this.#add({ kind: "user", text, state });
    }
  }

  #done({
    text,
    usage,
    contextLabel: label,
  }: {
    text: string;
    usage?: Usage | undefined;
    contextLabel?: string | undefined;
  }): void {
    const open = this.#open?.peek();
    if (open?.kind === "assistant") this.#late = "";
    if (open?.kind === "assistant" && this.#open !== undefined) {
      this.#open.value = { kind: "assistant", text, isOpen: false, label };
      this.#open = undefined;
    } else {
      this.#close();
      if (text !== "") this.#add({ kind: "assistant", text, isOpen: false, label });
    }
    if (usage !== undefined) this.usage.value = { ...this.usage.peek(), ...usage };
  }

  #grow(kind: "assistant" | "thinking", text: string, label: string | undefined): void {
    const open = this.#open?.peek();
    if (open?.kind !== kind || open.label !== label) {
      this.#close();
      this.#open = this.#add({ kind, text, isOpen: true, label });
      return;
    }
    this.#late += text;
    this.#timer ??= setTimeout(() => this.#flush(), RENEWAL_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const open = this.#open?.peek();
    if (this.#open === undefined || open === undefined || !("isOpen" in open)) return;
    if (this.#late !== "") this.#open.value = { ...open, text: open.text + this.#late };
    this.#late = "";
  }

  /** Nothing more is said of what was being said. */
  #close(): void {
    this.#flush();
    const open = this.#open?.peek();
    if (this.#open !== undefined && open !== undefined && "isOpen" in open) {
      this.#open.value = { ...open, isOpen: false };
    }
    this.#open = undefined;
  }

  #change(callId: string, change: Partial<Call>): void {
    const call = this.#calls.get(callId);
    const former = call?.peek();
    if (call === undefined || former?.kind !== "call") return;
    call.value = { ...former, ...change };
  }

  #add(entry: Entry): Signal<Entry> {
    const added = signal(entry);
    this.entries.value = [...this.entries.peek().slice(1 - MOST_ENTRIES), added];
    return added;
  }
}

/** The server puts what was attached behind the text. */
function isSame(sent: string, told: string): boolean {
  return told === sent || told.startsWith(`${sent}\n\n@image:`);
}

function entryOfHistory({ role, text, args, failure }: HistoryEntry): Entry {
  if (role === "user") return { kind: "user", text, state: "said" };
  if (role === "assistant") return { kind: "assistant", text, isOpen: false };
  return {
    kind: "call",
    callId: "",
    name: text,
    about: describeCall(text, args),
    args,
    result: { summary: failure ?? "", isError: failure !== undefined },
  };
}
