import { isPlainObject, tryParseJson } from "../../shared/json.ts";

interface PendingCall {
  id: string | undefined;
  name: string;
  arguments: string[];
}

export interface CallProgress {
  readonly name: string;
  readonly added: number;
}

/**
 * Normalizes chat-completion streams: drops chunks without choices, converts content to text, and
 * emits each tool call once and complete. Some servers send `null` fields and chunks, object
 * arguments, or calls in tens of thousands of pieces, which the SDK would reparse from the start.
 */
export function normalizedChatFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || !response.ok || !type.includes("event-stream")) return response;
    const { status, statusText, headers } = response;
    const body = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .pipeThrough(chatNormalizer())
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status, statusText, headers });
  };
}

function chatNormalizer(): TransformStream<string, string> {
  const chunks = new ChatChunks();
  let partial: string[] = [];
  return new TransformStream({
    transform(text, controller) {
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        partial.push(text.slice(start, end));
        const line = partial.join("").replace(/\r$/, "");
        partial = [];
        start = end + 1;
        for (const out of chunks.take(line)) controller.enqueue(out);
        // Some servers leave the connection open.
        if (chunks.isDone) return controller.terminate();
      }
      if (start < text.length) partial.push(text.slice(start));
    },
    flush(controller) {
      const line = partial.join("");
      if (line !== "") for (const out of chunks.take(line)) controller.enqueue(out);
      for (const out of chunks.finish()) controller.enqueue(out);
    },
  });
}

export class ChatChunks {
  readonly #calls = new Map<number, PendingCall>();
  #envelope: Record<string, unknown> = {
    id: "",
    object: "chat.completion.chunk",
    created: 0,
    model: "",
  };

  /** True once the model wrote something that no finish reason has ended. */
  #isUnfinished = false;

  #isDone = false;

  /** True after the line that ends the stream. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Returns the line's events; none while a tool call is incomplete. */
  take(line: string): readonly string[] {
    if (!line.startsWith("data:")) {
      const error = errorIn(line);
      if (error !== undefined) return [formatEvent(JSON.stringify({ error }))];
      return line.trim() === "" ? [] : [`${line}\n`];
    }
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") {
      this.#isDone = true;
      return [...this.#end(), formatEvent(data)];
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      // The SDK reports parse errors.
      return [formatEvent(data)];
    }
    if (!isPlainObject(chunk)) return [];
    if (chunk.error !== undefined && chunk.error !== null) return [formatEvent(data)];
    const { choices, usage } = chunk;
    if (!Array.isArray(choices)) {
      if (!isPlainObject(usage)) return [];
      return [formatEvent(JSON.stringify({ ...chunk, choices: [] }))];
    }
    const { id, object, created, model } = chunk;
    this.#envelope = { id, object, created, model };
    const [choice] = choices.filter(isPlainObject);
    if (choice === undefined) return [formatEvent(JSON.stringify({ ...chunk, choices: [] }))];
    const delta = isPlainObject(choice.delta) ? choice.delta : {};
    const { tool_calls: calls, content, ...rest } = delta;
    const progress = Array.isArray(calls) ? calls.flatMap((call) => this.#hold(call)) : [];
    const isFinished = typeof choice.finish_reason === "string" && choice.finish_reason !== "";
    const text = parseText(content);
    this.#isUnfinished = !isFinished && (this.#isUnfinished || this.#calls.size > 0 || !!text);
    const forwarded = {
      ...chunk,
      choices: [{ ...choice, delta: { ...rest, ...(text !== undefined && { content: text }) } }],
      ...(progress.length > 0 && { call_progress: progress }),
    };
    return [...(isFinished ? this.finish() : []), formatEvent(JSON.stringify(forwarded))];
  }

  /** Some servers mark the end without a finish reason. */
  #end(): readonly string[] {
    const reason = this.#calls.size > 0 ? "tool_calls" : "stop";
    const calls = this.finish();
    if (!this.#isUnfinished) return calls;
    const choice = { index: 0, delta: {}, finish_reason: reason };
    return [...calls, formatEvent(JSON.stringify({ ...this.#envelope, choices: [choice] }))];
  }

  finish(): readonly string[] {
    const events = [...this.#calls].map(([index, call]) => {
      const fn = { name: call.name, arguments: call.arguments.join("") };
      const id = call.id ?? `call_${index}`;
      const delta = { tool_calls: [{ index, id, type: "function", function: fn }] };
      const choice = { index: 0, delta, finish_reason: null };
      return formatEvent(JSON.stringify({ ...this.#envelope, choices: [choice] }));
    });
    this.#calls.clear();
    return events;
  }

  #hold(call: unknown): readonly CallProgress[] {
    if (!isPlainObject(call)) return [];
    const fn = isPlainObject(call.function) ? call.function : {};
    const index = this.#indexOf(call, fn);
    const known = this.#calls.get(index) ?? { id: undefined, name: "", arguments: [] };
    this.#calls.set(index, known);
    if (typeof call.id === "string" && call.id !== "") known.id ??= call.id;
    if (typeof fn.name === "string" && known.name === "") known.name = fn.name;
    const piece =
      typeof fn.arguments === "string"
        ? fn.arguments
        : isPlainObject(fn.arguments)
          ? JSON.stringify(fn.arguments)
          : "";
    if (piece !== "") known.arguments.push(piece);
    return [{ name: known.name, added: piece.length }];
  }

  #indexOf({ index, id }: Record<string, unknown>, fn: Record<string, unknown>): number {
    const value = typeof index === "number" ? index : undefined;
    const present = value === undefined ? undefined : this.#calls.get(value);
    // Arguments without a name continue a call, even where each piece has an id of its own.
    const isNamed = typeof fn.name === "string" && fn.name !== "";
    const isContinued = !isNamed && fn.arguments !== undefined && fn.arguments !== null;
    if (isContinued && present !== undefined && present.name !== "") return value as number;
    const hasId = typeof id === "string" && id !== "";
    const isOther = hasId && present?.id !== undefined && present.id !== id;
    const callIndex = value ?? Math.max(0, this.#calls.size - 1);
    // Without ids, a name after complete arguments begins another call.
    if (!hasId && isNamed && isFollowed(this.#calls.get(callIndex), fn)) return this.#calls.size;
    if (value !== undefined && !isOther) return value;
    if (!hasId) return callIndex;
    const same = [...this.#calls].find(([, call]) => call.id === id);
    return same?.[0] ?? this.#calls.size;
  }
}

/** True if the call is complete and `fn` is not a repetition or continuation of it. */
function isFollowed(call: PendingCall | undefined, fn: Record<string, unknown>): boolean {
  if (call === undefined || call.name === "" || call.id !== undefined) return false;
  if (!call.arguments.at(-1)?.trimEnd().endsWith("}")) return false;
  const text = call.arguments.join("");
  const added =
    typeof fn.arguments === "string" ? fn.arguments : JSON.stringify(fn.arguments ?? "");
  if (added.trim() === "" || added === text) return fn.name !== call.name;
  return text !== "{}" && isPlainObject(tryParseJson(text));
}

/** Returns an error that a server sends outside of a `data:` line, as llama.cpp and Lemonade do. */
function errorIn(line: string): unknown {
  const field = /^error:\s*(?=\{)/.exec(line)?.[0];
  if (field === undefined && !/^\{\s*"error"/.test(line)) return undefined;
  const value = tryParseJson(line.slice(field?.length ?? 0));
  return isPlainObject(value) ? (value.error ?? value) : undefined;
}

function parseText(content: unknown): string | null | undefined {
  if (content === undefined || content === null || typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .flatMap((part) => (isPlainObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join("");
}

function formatEvent(data: string): string {
  return `data: ${data}\n\n`;
}
