import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A tool call that the model makes. The tool matches by suffix, because clients add prefixes. */
export interface ScriptedToolCall {
  readonly tool: string;
  readonly args: object;
}

export interface DialectModel {
  readonly url: string;
  readonly requests: readonly string[];
  /** Schedules a tool call for the next run: made once, as soon as the tool is offered. */
  want(call: ScriptedToolCall): void;
  close(): Promise<void>;
}

type Turn = { readonly text: string } | { readonly name: string; readonly args: object };

/**
 * A model that speaks chat completions, Responses, Anthropic messages and Gemini, and makes the
 * scheduled call. Uses the client's tool search first if there is one.
 */
export async function startDialectModel(): Promise<DialectModel> {
  const requests: string[] = [];
  let wanted: ScriptedToolCall | undefined;
  const state = { searched: false };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += part;
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (request.method !== "POST") {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"data":[],"models":[]}');
      return;
    }
    if (path.endsWith("count_tokens") || path.endsWith(":countTokens")) {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"input_tokens":10,"totalTokens":10}');
      return;
    }
    requests.push(text);
    const body = JSON.parse(text === "" ? "{}" : text);
    const turn = nextTurn(toolNames(body), text);
    if (path.includes("/messages")) sendMessages(response, turn, body.stream !== false);
    else if (path.includes("/responses")) sendResponses(response, turn);
    else if (path.includes("enerateContent")) sendGemini(response, turn, path.includes("stream"));
    else sendChat(response, turn, body.stream === true);
  }

  function nextTurn(names: readonly string[], text: string): Turn {
    if (wanted === undefined) return { text: "Done." };
    const { tool, args } = wanted;
    const name = names.find((each) => new RegExp(`(?:^|[_-])${tool}$`).test(each));
    if (name !== undefined) {
      wanted = undefined;
      return { name, args };
    }
    const search = names.find((each) => /^(?:ToolSearch|tool_search)$/.test(each));
    if (search !== undefined && !state.searched && text.includes("cairn")) {
      state.searched = true;
      const full = /\bmcp__cairn__\w+/.exec(text) === null ? tool : `mcp__cairn__${tool}`;
      return { name: search, args: { query: `select:${full}`, max_results: 3 } };
    }
    const bridge = names.find((each) => each === "tool_call");
    if (bridge !== undefined && state.searched) {
      wanted = undefined;
      return { name: bridge, args: { name: `mcp__cairn__${tool}`, arguments: args } };
    }
    return { text: "Done." };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    want(call) {
      wanted = call;
      state.searched = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function toolNames(body: { readonly tools?: readonly unknown[] }): string[] {
  return (body.tools ?? []).flatMap((tool) => namesIn(tool, ""));
}

/** Lists function names in the tools of any API. Codex nests a server's tools in a namespace. */
function namesIn(tool: unknown, prefix: string): string[] {
  if (typeof tool !== "object" || tool === null) return [];
  const { name, function: fn, functionDeclarations, tools, type } = tool as Record<string, unknown>;
  const inner = (functionDeclarations ?? tools) as readonly unknown[] | undefined;
  if (Array.isArray(inner)) {
    const space = type === "namespace" && typeof name === "string" ? `${name}__` : prefix;
    return inner.flatMap((each) => namesIn(each, space));
  }
  if (fn !== undefined) return namesIn(fn, prefix);
  return typeof name === "string" ? [`${prefix}${name}`] : [];
}

function sse(response: ServerResponse, events: readonly (readonly [string, object])[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [event, data] of events) {
    response.write(`${event === "" ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
  response.end();
}

const id = () => `call_${Math.random().toString(36).slice(2, 12)}`;

function sendChat(response: ServerResponse, turn: Turn, streams: boolean): void {
  const message =
    "text" in turn
      ? { role: "assistant", content: turn.text }
      : {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              index: 0,
              id: id(),
              type: "function",
              function: { name: turn.name, arguments: JSON.stringify(turn.args) },
            },
          ],
        };
  const finish_reason = "text" in turn ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const head = { id: "c1", created: 1, model: "scripted" };
  if (!streams) {
    const choices = [{ index: 0, message, finish_reason }];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
    return;
  }
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk([{ index: 0, delta: message, finish_reason: null }]));
  response.write(chunk([{ index: 0, delta: {}, finish_reason }]));
  response.write(chunk([], { usage }));
  response.end("data: [DONE]\n\n");
}

function sendMessages(response: ServerResponse, turn: Turn, streams: boolean): void {
  const stop_reason = "text" in turn ? "end_turn" : "tool_use";
  const block =
    "text" in turn
      ? { type: "text", text: turn.text }
      : { type: "tool_use", id: `toolu_${id()}`, name: turn.name, input: turn.args };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", usage };
  if (!streams) {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...message, content: [block], stop_reason, stop_sequence: null }));
    return;
  }
  const begun = "text" in turn ? { type: "text", text: "" } : { ...block, input: {} };
  const delta =
    "text" in turn
      ? { type: "text_delta", text: turn.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(turn.args) };
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null };
  sse(response, [
    ["message_start", { type: "message_start", message: start }],
    ["content_block_start", { type: "content_block_start", index: 0, content_block: begun }],
    ["content_block_delta", { type: "content_block_delta", index: 0, delta }],
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    [
      "message_delta",
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    ],
    ["message_stop", { type: "message_stop" }],
  ]);
}

function sendResponses(response: ServerResponse, turn: Turn): void {
  const [namespace, name] = "text" in turn ? ["", ""] : splitNamespace(turn.name);
  const item =
    "text" in turn
      ? {
          type: "message",
          id: "m1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: turn.text, annotations: [] }],
        }
      : {
          type: "function_call",
          id: "f1",
          call_id: id(),
          name,
          ...(namespace !== "" && { namespace }),
          arguments: JSON.stringify(turn.args),
          status: "completed",
        };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const whole = { id: "r1", object: "response", status: "completed", output: [item], usage };
  sse(response, [
    ["response.created", { type: "response.created", response: { ...whole, output: [] } }],
    ["response.output_item.added", { type: "response.output_item.added", output_index: 0, item }],
    ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
    ["response.completed", { type: "response.completed", response: whole }],
  ]);
}

function splitNamespace(full: string): [string, string] {
  const at = full.lastIndexOf("__");
  return full.startsWith("mcp__") && at > 5 ? [full.slice(0, at), full.slice(at + 2)] : ["", full];
}

function sendGemini(response: ServerResponse, turn: Turn, streams: boolean): void {
  const part =
    "text" in turn ? { text: turn.text } : { functionCall: { name: turn.name, args: turn.args } };
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  if (streams) sse(response, [["", answer]]);
  else {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }
}
