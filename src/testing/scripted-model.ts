import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One answer of the model. Fields may be combined; `status` excludes the others. */
export interface ScriptedAnswer {
  readonly text?: string | readonly (string | (() => string))[];
  /** Sent before the text as `reasoning_content`, one chunk each. */
  readonly reasoning?: readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly delayMs?: number;
  /** Wait before each chunk after the first. */
  readonly chunkDelayMs?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errorMessage?: string;
  /** `true`: never answers. `"afterText"`: sends its chunks and then nothing more. */
  readonly hang?: true | "afterText";
  /** The socket is destroyed after the chunks, without an end. */
  readonly cutOff?: boolean;
  /** The stream ends properly, but without a finish reason and `[DONE]`. */
  readonly endEarly?: boolean;
  /** Raw bytes instead of a well-formed stream. */
  readonly raw?: string;
}

export interface ScriptedToolCall {
  readonly name: string;
  readonly args: unknown;
  /** In how many chunks the arguments are sent; default: one. */
  readonly pieces?: number;
  readonly id?: string;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ScriptedRequest {
  readonly index: number;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly ChatMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly [field: string]: unknown;
  };
  /** `performance.now()` when the request had been read. */
  readonly receivedAt: number;
  /** True once the client has gone away before the answer was complete. */
  readonly aborted: boolean;
}

export type ScriptedResponder = (
  request: ScriptedRequest,
) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface ScriptedModel {
  /** The setting `baseUrl`. */
  readonly baseUrl: string;
  readonly port: number;
  readonly requests: readonly ScriptedRequest[];
  /** Adds answers to the end of the script. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Answers by a function of the request whenever the script is empty. */
  respond(responder: ScriptedResponder): void;
  /** Resolves once `count` requests have arrived. */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A scripted language model: an HTTP server with the chat-completions stream. Without a script it
 * answers `ok`.
 */
export async function startScriptedModel(
  ...answers: readonly ScriptedAnswer[]
): Promise<ScriptedModel> {
  const script = [...answers];
  const requests: (ScriptedRequest & { aborted: boolean })[] = [];
  let responder: ScriptedResponder = () => ({ text: "ok" });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const path = request.url ?? "/";
    if (request.method !== "POST" || !path.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    const recorded = {
      index: requests.length,
      path,
      authorization: request.headers.authorization,
      body: body as ScriptedRequest["body"],
      receivedAt: performance.now(),
      aborted: false,
    };
    requests.push(recorded);
    response.on("close", () => {
      recorded.aborted = !response.writableFinished;
    });
    await play(script.shift() ?? (await responder(recorded)), recorded, response);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    script: (...more) => void script.push(...more),
    respond: (next) => {
      responder = next;
    },
    waitForRequests: (count, timeoutMs = 30_000) => waitFor(requests, count, timeoutMs),
    close: () => closeServer(server, sockets),
  };
}

async function play(
  answer: ScriptedAnswer,
  request: ScriptedRequest,
  response: ServerResponse,
): Promise<void> {
  if (answer.delayMs !== undefined) await sleep(answer.delayMs);
  if (answer.hang === true) return;
  if (answer.status !== undefined) {
    const message = answer.errorMessage ?? `scripted status ${answer.status}`;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify({ error: { message, type: "scripted", code: null, param: null } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...answer.headers });
  if (answer.raw !== undefined) {
    response.end(answer.raw);
    return;
  }
  let first = true;
  for (const makeDelta of createDeltas(answer)) {
    if (response.destroyed) return;
    if (!first && answer.chunkDelayMs !== undefined) await sleep(answer.chunkDelayMs);
    first = false;
    const delta = makeDelta();
    response.write(chunk(request, { choices: [{ index: 0, delta, finish_reason: null }] }));
  }
  if (answer.hang === "afterText") return;
  if (answer.cutOff) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.destroy();
    return;
  }
  if (answer.endEarly) {
    response.end();
    return;
  }
  const finish_reason = answer.toolCalls?.length ? "tool_calls" : "stop";
  response.write(chunk(request, { choices: [{ index: 0, delta: {}, finish_reason }] }));
  response.write(chunk(request, { choices: [], usage: createUsage(answer) }));
  response.end("data: [DONE]\n\n");
}

function createDeltas(answer: ScriptedAnswer): (() => object)[] {
  const texts = typeof answer.text === "string" ? [answer.text] : (answer.text ?? []);
  const calls = (answer.toolCalls ?? []).flatMap((call, index) => {
    const text = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
    const length = Math.max(1, Math.ceil(text.length / (call.pieces ?? 1)));
    const id = call.id ?? `call_${Math.random().toString(36).slice(2, 12)}`;
    return (text.match(new RegExp(`[\\s\\S]{1,${length}}`, "g")) ?? [""]).map((part, at) => () => {
      const named = at === 0 ? { id, type: "function" } : {};
      const name = at === 0 ? { name: call.name } : {};
      return { tool_calls: [{ index, ...named, function: { ...name, arguments: part } }] };
    });
  });
  const thought = (answer.reasoning ?? []).map((reasoning_content) => () => ({
    role: "assistant",
    reasoning_content,
  }));
  const messages = texts.map((text) => () => ({
    role: "assistant",
    content: typeof text === "string" ? text : text(),
  }));
  return [...thought, ...messages, ...calls];
}

function createUsage(answer: ScriptedAnswer): object {
  const { input, output } = answer.usage ?? { input: 10, output: 5 };
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function chunk(request: ScriptedRequest, fields: object): string {
  const head = { id: `chat-${request.index}`, object: "chat.completion.chunk", created: 0 };
  return `data: ${JSON.stringify({ ...head, model: request.body.model, ...fields })}\n\n`;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}

async function waitFor(seen: readonly unknown[], count: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (seen.length < count) {
    if (performance.now() > deadline) {
      throw new Error(`the model received ${seen.length} of ${count} requests in ${timeoutMs} ms`);
    }
    await sleep(5);
  }
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  await closed;
}
