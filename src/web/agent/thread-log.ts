import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { EventOrder } from "../../client/index.ts";
import type { ServerMessage } from "../../server/ui/index.ts";
import { describeCall } from "../../shared/describe-call.ts";
import type {
  Choice,
  Entry,
  HistoryEntry,
  NoteTone,
  Queued,
  Status,
  Task,
  Usage,
} from "./entry.ts";
import { EntryList, Subagents } from "./entry-list.ts";

/** A flow's question, which the next message answers. */
export interface Prompt {
  /** The question without its choices. */
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** Matches the choices repeated in the last line of a question: `[1] the first, [2] the second`. */
const CHOICES_LINE = /\n(\[\w+\] [^\n]+)$/;

/** Parses the choices from the question's text, since thread lists contain nothing else. */
export function getPrompt(query: string, values: readonly Choice[] = []): Prompt {
  const line = CHOICES_LINE.exec(query)?.[1];
  if (line === undefined) return { text: query, choices: values };
  const listed = line.split(/, (?=\[\w+\] )/).map((choice): Choice => {
    const [, key = "", label = ""] = /^\[(\w+)\] (.*)$/.exec(choice) ?? [];
    return { key, label };
  });
  const text = query.slice(0, -line.length - 1);
  return { text, choices: values.length > 0 ? values : listed };
}

export class ThreadLog {
  readonly subagents = new Subagents();
  readonly prompt: Signal<Prompt | undefined> = signal(undefined);
  readonly tasks: Signal<readonly Task[]> = signal([]);
  readonly usage: Signal<Usage | undefined> = signal(undefined);
  /** Messages that wait for the current run and can still be edited. */
  readonly queue: Signal<readonly Queued[]> = signal([]);
  readonly isRunning: Signal<boolean> = signal(false);
  /** Progress of the model, for example "writing the arguments of edit, 4,000 characters". */
  readonly doing: Signal<string> = signal("");
  readonly order = new EventOrder();
  readonly #list = new EntryList();

  get entries(): ReadonlySignal<readonly Signal<Entry>[]> {
    return this.#list.entries;
  }

  /**
   * Applies an event of this thread once and in order. Returns false if earlier events are missing.
   */
  take(message: ServerMessage): boolean {
    const position = this.order.classify(message);
    if (position === "next") batch(() => this.#take(message));
    return position !== "missing";
  }

  /** No event confirms a command or the answer to a question, so both count as received. */
  say(text: string): void {
    const request = this.prompt.peek();
    const isReceived = request !== undefined || text.startsWith("/");
    const label = request?.choices.find(({ key }) => key === text.trim())?.label ?? text;
    batch(() => {
      this.prompt.value = undefined;
      this.#list.add({ kind: "user", text: label, state: isReceived ? "said" : "sent" });
    });
  }

  takeQueue(queue: readonly Queued[]): void {
    const isQueued = (entry: Entry) => entry.kind === "user" && entry.state === "queued";
    const { entries } = this.#list;
    batch(() => {
      this.queue.value = queue;
      entries.value = entries.peek().filter((entry) => !isQueued(entry.peek()));
    });
  }

  note(tone: NoteTone, text: string): void {
    this.#list.note(tone, text);
  }

  /** Rebuilds the log from the server's history. */
  restore(history: readonly HistoryEntry[]): void {
    batch(() => {
      const last = this.entries.peek().at(-1)?.peek();
      const messages = history.map(entryOfHistory);
      this.#list.replace(last?.kind === "note" ? [...messages, last] : messages);
      this.subagents.clear();
    });
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case "assistant.delta":
        this.#getList(message.payload).grow("assistant", message.payload.text);
        break;
      case "assistant.done": {
        const { text, usage } = message.payload;
        this.#getList(message.payload).done(text);
        if (usage !== undefined) this.usage.value = { ...this.usage.peek(), ...usage };
        break;
      }
      case "tool.call": {
        const { callId, name, args, contextLabel: label } = message.payload;
        const list = this.#getList(message.payload);
        const isOwn = list === this.#list;
        if (isOwn) this.doing.value = "";
        const about = describeCall(name, args);
        list.call({ kind: "call", callId, name, about, args, label: isOwn ? label : undefined });
        break;
      }
      case "tool.result": {
        const { callId, summary, diff, output, isError } = message.payload;
        const result = { summary, diff, output, isError };
        this.#getList(message.payload).changeCall(callId, { output: undefined, result });
        break;
      }
      case "status":
        this.#status(message.payload);
        break;
      case "error":
        this.#list.close();
        this.note("error", message.payload.message);
        break;
      default:
        break;
    }
  }

  #getList({ subagentId }: { readonly subagentId?: string | undefined }): EntryList {
    return this.subagents.find(subagentId)?.list ?? this.#list;
  }

  #status(status: Status): void {
    const { phase, message: text = "" } = status;
    switch (phase) {
      case "running":
        this.isRunning.value = true;
        this.prompt.value = undefined;
        if (this.tasks.peek().every(({ state }) => state === "done")) this.tasks.value = [];
        if (status.said !== undefined) this.#placeMessage(status.said, "said");
        break;
      case "idle":
        this.#list.close();
        this.isRunning.value = false;
        this.doing.value = "";
        if (status.usage !== undefined) this.usage.value = status.usage;
        break;
      case "queued":
        this.#placeMessage(text, "queued");
        break;
      case "interjection":
        this.#placeMessage(text, "said");
        break;
      case "prompt":
        this.#list.close();
        this.prompt.value = getPrompt(text, status.choices);
        break;
      case "thinking":
        this.doing.value = "thinking";
        this.#list.grow("thinking", text);
        break;
      case "calling":
        this.doing.value = `writing ${text}, ${(status.size ?? 0).toLocaleString("en")} characters`;
        break;
      case "output":
        this.#getList(status).changeCall(status.callId ?? "", { output: text });
        break;
      case "subagent":
        this.#updateSubagent(status);
        break;
      default:
        this.#tell(status);
        break;
    }
  }

  #tell(status: Status): void {
    const { phase, message: text = "" } = status;
    const list = this.#getList(status);
    switch (phase) {
      case "memory":
      case "offer":
      case "learned":
        list.add({ kind: "memory", what: phase, text, memories: status.memories ?? [] });
        break;
      case "print":
        list.add({ kind: "print", text });
        break;
      case "aborted":
        list.close();
        this.prompt.value = undefined;
        list.note("aborted", text === "" ? "Stopped." : text);
        break;
      case "success":
        list.note("success", text);
        break;
      case "handover":
      case "info":
        if (status.progress !== undefined) this.tasks.value = status.progress;
        else if (text !== "") list.note("info", text);
        break;
      default:
        break;
    }
  }

  #updateSubagent({ subagent: news }: Status): void {
    if (news === undefined) return;
    const started = this.subagents.take(news);
    if (started === undefined) return;
    const { callId, name, task } = news;
    const list = this.#getList({ subagentId: news.parent });
    if (list.changeCall(callId, { subagentId: started.id })) return;
    list.call({ kind: "call", callId, name, about: task, subagentId: started.id });
  }

  #placeMessage(text: string, state: "queued" | "said"): void {
    // A queued message must not split the answer that is still streaming.
    if (state === "said") this.#list.close();
    const { entries } = this.#list;
    const waiting = entries
      .peek()
      .find(
        ({ value }) => value.kind === "user" && value.state !== "said" && isSame(value.text, text),
      );
    if (waiting === undefined) this.#list.add({ kind: "user", text, state });
    else if (state === "queued") waiting.value = { kind: "user", text, state };
    else {
      entries.value = entries.peek().filter((entry) => entry !== waiting);
      this.#list.add({ kind: "user", text, state });
    }
  }
}

/** The server appends attached images to the text. */
function isSame(sent: string, stored: string): boolean {
  return stored === sent || stored.startsWith(sent === "" ? "@image:" : `${sent}\n\n@image:`);
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
