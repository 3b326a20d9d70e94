import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface ApiRequest {
  readonly path: string;
  /** Body as it was sent. */
  readonly body: string;
}

export interface ScriptedApis {
  readonly address: string;
  /** Requests for a completion, in order of arrival. */
  readonly requests: readonly ApiRequest[];
  close(): void;
}

export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Script {
  readonly words: readonly string[];
  readonly wordsASecond: number;
  /**
   * Tool calls of the first reply to a request that contains `when`; absent: the model calls no
   * tool.
   */
  readonly step?: {
    readonly when: string;
    readonly calls: readonly ScriptedCall[];
    readonly words: readonly string[];
  };
}

/**
 * Starts a scripted model that sends its words to every request that offers tools. Supports chat
 * completions, responses, Anthropic's messages and Google's API. Other requests, such as for a
 * title, get one word.
 */
export async function startScriptedApis(script: Script): Promise<ScriptedApis> {
  const requests: ApiRequest[] = [];
  let hasCalled = false;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const api = APIS.find(({ fits }) => request.method === "POST" && fits.test(path));
    if (api === undefined) {
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":{}}');
      return;
    }
    requests.push({ path, body });
    const asksForWork = /"(tools|functionDeclarations)":\s*\[\s*[{[]/.test(body);
    const step = asksForWork && script.step && body.includes(script.step.when);
    const said = step && script.step ? script.step.words : script.words;
    const words = asksForWork ? said : ["Title"];
    if (!api.streams(path, body)) {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(api.whole(words)));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (step && script.step && !hasCalled && api.calls !== undefined) {
      hasCalled = true;
      for (const event of api.calls(script.step.calls)) response.write(framed(api, event));
      response.end(api.last);
      return;
    }
    await say(response, api, { words, wordsASecond: script.wordsASecond });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Api {
  readonly fits: RegExp;
  streams(path: string, body: string): boolean;
  /** Response without streaming. */
  whole(words: readonly string[]): object;
  begin(): readonly object[];
  /** Complete response with tool calls; absent if not scripted. */
  calls?(calls: readonly ScriptedCall[]): readonly object[];
  word(word: string): object;
  end(text: string): readonly object[];
  /** True for protocols with named events. */
  readonly named: boolean;
  readonly last?: string;
}

function framed(api: Api, event: object): string {
  const name = api.named && "type" in event ? `event: ${event.type}\n` : "";
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

async function say(response: ServerResponse, api: Api, { words, wordsASecond }: Script) {
  const write = (event: object) => response.write(framed(api, event));
  api.begin().forEach(write);
  const started = performance.now();
  for (const [index, word] of words.entries()) {
    const due = started + (index * 1000) / wordsASecond;
    if (due > performance.now()) await sleep(due - performance.now());
    if (response.destroyed) return;
    write(api.word(word));
  }
  api.end(words.join("")).forEach(write);
  response.end(api.last);
}

const MODEL = "scripted";
const asked = (_path: string, body: string) => /"stream":\s*true/.test(body);

const chatCompletions: Api = {
  fits: /\/chat\/completions$/,
  named: false,
  streams: asked,
  whole: (words) => ({
    ...CHAT,
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: words.join("") } },
    ],
  }),
  begin: () => [],
  calls: (calls) => [
    {
      ...CHAT,
      choices: [
        {
          index: 0,
          finish_reason: null,
          delta: {
            role: "assistant",
            tool_calls: calls.map(({ name, args }, index) => ({
              ...{ index, id: `call_${index}`, type: "function" },
              function: { name, arguments: JSON.stringify(args) },
            })),
          },
        },
      ],
    },
    { ...CHAT, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    { ...CHAT, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ],
  word: (content) => ({
    ...CHAT,
    choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }],
  }),
  end: () => [
    { ...CHAT, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { ...CHAT, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ],
  last: "data: [DONE]\n\n",
};
const CHAT = { id: "c1", object: "chat.completion.chunk", created: 0, model: MODEL };

const message = (status: string, text?: string) => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status,
  content: text === undefined ? [] : [{ type: "output_text", text, annotations: [] }],
});
const RESPONSE = { id: "r1", object: "response", created_at: 0, model: MODEL };
const responses: Api = {
  fits: /\/responses$/,
  named: true,
  streams: asked,
  whole: (words) => ({
    ...RESPONSE,
    status: "completed",
    output: [message("completed", words.join(""))],
  }),
  begin: () => [
    { type: "response.created", response: { ...RESPONSE, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: message("in_progress") },
    {
      type: "response.content_part.added",
      item_id: "m1",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    },
  ],
  word: (delta) => ({
    type: "response.output_text.delta",
    item_id: "m1",
    output_index: 0,
    content_index: 0,
    delta,
  }),
  end: (text) => [
    { type: "response.output_text.done", item_id: "m1", output_index: 0, content_index: 0, text },
    { type: "response.output_item.done", output_index: 0, item: message("completed", text) },
    {
      type: "response.completed",
      response: {
        ...RESPONSE,
        status: "completed",
        output: [message("completed", text)],
        usage: {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 15,
        },
      },
    },
  ],
};

const ANSWER = { id: "a1", type: "message", role: "assistant", model: MODEL, stop_sequence: null };
const USAGE = { input_tokens: 10, output_tokens: 5 };
const anthropic: Api = {
  fits: /\/messages$/,
  named: true,
  streams: asked,
  whole: (words) => ({
    ...ANSWER,
    content: [{ type: "text", text: words.join("") }],
    stop_reason: "end_turn",
    usage: USAGE,
  }),
  begin: () => [
    { type: "message_start", message: { ...ANSWER, content: [], stop_reason: null, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  calls: (calls) => [
    { type: "message_start", message: { ...ANSWER, content: [], stop_reason: null, usage: USAGE } },
    ...calls.flatMap(({ name, args }, index) => [
      {
        type: "content_block_start",
        index,
        content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
      },
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: USAGE,
    },
    { type: "message_stop" },
  ],
  word: (text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
  end: () => [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: USAGE,
    },
    { type: "message_stop" },
  ],
};

const candidate = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion: MODEL,
});
const google: Api = {
  fits: /:(stream)?[gG]enerateContent$/,
  named: false,
  streams: (path) => path.endsWith(":streamGenerateContent"),
  whole: (words) => candidate(words.join(""), { finishReason: "STOP" }),
  begin: () => [],
  word: (text) => candidate(text),
  end: () => [candidate("", { finishReason: "STOP" })],
};

const APIS: readonly Api[] = [chatCompletions, responses, anthropic, google];
