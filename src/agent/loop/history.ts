import { type ModelMessage, withoutImages } from "../../llm/index.ts";
import { type ToolMessage, toolOutcome } from "./tool-messages.ts";

/** A conversation in the form that providers take. */
export class History {
  #list: readonly ModelMessage[];
  readonly #onAppend: (message: ModelMessage) => void;
  readonly #onReplace: (messages: readonly ModelMessage[]) => void;
  readonly #onStartAfresh: (messages: readonly ModelMessage[]) => void;

  constructor(messages: readonly ModelMessage[] = [], store: HistoryStore = {}) {
    this.#list = messages;
    this.#onAppend = store.append ?? ignore;
    this.#onReplace = store.replace ?? ignore;
    this.#onStartAfresh = store.startAfresh ?? ignore;
  }

  get messages(): readonly ModelMessage[] {
    return this.#list;
  }

  append(message: ModelMessage): void {
    this.#list = [...this.#list, message];
    this.#onAppend(message);
  }

  /** Another conversation begins, with these; the one until now is kept somewhere else. */
  startAfresh(messages: readonly ModelMessage[]): void {
    if (this.#list.length > 0) this.#onStartAfresh(this.#list);
    this.replace(messages);
  }

  replace(messages: readonly ModelMessage[]): void {
    this.#list = messages;
    this.#onReplace(messages);
  }

  /** After a service refused them: a later request would be refused again. */
  removeImages(): void {
    const messages = withoutImages(this.#list);
    if (messages !== this.#list) this.replace(messages);
  }

  /** Replaces what was said since the last answer of the model, after a service refused it. */
  removeRefused(): void {
    const last = this.#list.findLastIndex(({ role }) => role === "assistant");
    this.replace(this.#list.map((message, at) => (at > last ? withheld(message) : message)));
  }

  /** Gives every tool call that has no result one that says why, so that the history is valid. */
  closeOpenCalls(reason: string): void {
    const repair = resultsForOpenCalls(this.#list, reason);
    if (repair !== undefined) this.append(repair);
  }
}

export interface HistoryStore {
  readonly append?: (message: ModelMessage) => void;
  readonly replace?: (messages: readonly ModelMessage[]) => void;
  /** Told what was said until now. */
  readonly startAfresh?: (messages: readonly ModelMessage[]) => void;
}

/** Results for the calls of the last assistant message that have none; undefined: all have one. */
export function resultsForOpenCalls(
  messages: readonly ModelMessage[],
  reason: string,
): ToolMessage | undefined {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const message = messages[last];
  if (message?.role !== "assistant" || typeof message.content === "string") return undefined;
  const answered = new Set(messages.slice(last + 1).flatMap(answeredCalls));
  const content = message.content.flatMap((part) =>
    part.type === "tool-call" && !answered.has(part.toolCallId)
      ? [toolOutcome({ callId: part.toolCallId, name: part.toolName, text: reason, isError: true })]
      : [],
  );
  return content.length === 0 ? undefined : { role: "tool", content };
}

const WITHHELD = "[removed: the model service refused this content]";

function withheld(message: ModelMessage): ModelMessage {
  if (message.role === "user") return { role: "user", content: WITHHELD };
  if (message.role !== "tool") return message;
  const output = { type: "text" as const, value: WITHHELD };
  const content = message.content.map((part) =>
    part.type === "tool-result" ? { ...part, output } : part,
  );
  return { ...message, content };
}

function answeredCalls(message: ModelMessage): string[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
}

function ignore(): void {}
