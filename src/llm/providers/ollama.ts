import { isPlainObject } from "../../shared/json.ts";
import type { RequestedEffort } from "../effort.ts";
import { LEVELS_WITH_NONE } from "../profiles/effort-form.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { StreamError } from "../provider-error.ts";
import { loadChat } from "./chat.ts";
import { chooseWindow, loadModelDetails, ollamaAddress } from "./ollama-server.ts";

export async function loadOllama(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { model, apiKey, requestedEffort, contextWindow, fetch } = endpoint;
  const address = ollamaAddress(endpoint.baseUrl);
  const server = { address, model, fetch, ...(apiKey !== undefined && { apiKey }) };
  const details = await loadModelDetails(server, AbortSignal.timeout(RESPONSE_TIMEOUT_MS));
  if (details === undefined) {
    const effortRequest = { ...requestedEffort, form: LEVELS_WITH_NONE };
    return loadChat({ ...endpoint, baseUrl: `${address}/v1`, requestedEffort: effortRequest }, {});
  }
  const { createOllama } = await import("ollama-ai-provider-v2");
  const fixed = {
    options: { num_ctx: chooseWindow(details, contextWindow) },
    ...(details.capabilities.has("thinking") && thinkingOptions(model, requestedEffort)),
  };
  const provider = createOllama({
    baseURL: `${address}/api`,
    ...(apiKey !== undefined && { headers: { authorization: `Bearer ${apiKey}` } }),
    fetch: async (input, init) => failOnErrors(await fetch(input, replaceBody(init, fixed))),
  });
  return { model: provider(model) };
}

const RESPONSE_TIMEOUT_MS = 5_000;

/** gpt-oss has levels, others a switch; without a request the model decides. */
function thinkingOptions(model: string, { effort }: RequestedEffort): { think?: boolean | string } {
  if (effort === undefined) return {};
  if (!/^gpt-oss\b/.test(model)) return { think: effort !== "off" };
  return { think: effort === "off" ? "low" : effort };
}

function replaceBody(init: RequestInit | undefined, fixed: object): RequestInit {
  if (typeof init?.body !== "string") return init ?? {};
  const body: unknown = JSON.parse(init.body);
  if (!isPlainObject(body)) return init;
  return { ...init, body: JSON.stringify(ollamaRequest(body, fixed)) };
}

function failOnErrors(response: Response): Response {
  if (!response.ok || response.body === null) return response;
  let rest = "";
  const watch = new TransformStream<string, string>({
    transform(text, controller) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) pipeBody(line, controller);
    },
    flush(controller) {
      if (rest.trim() !== "") pipeBody(rest, controller);
    },
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(watch)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status: response.status, headers: response.headers });
}

function pipeBody(line: string, controller: TransformStreamDefaultController<string>): void {
  if (line.trim() === "") return;
  const error = parseError(line);
  if (error === undefined) controller.enqueue(`${line}\n`);
  else controller.error(new StreamError(error));
}

function parseError(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) && value.message === undefined ? value.error : undefined;
  } catch {
    return "a line of the response is not JSON: it was truncated";
  }
}

/** Rewrites requests to Ollama's documented format. */
function ollamaRequest(
  { model, messages, tools, stream, format }: Readonly<Record<string, unknown>>,
  fixed: object,
): Record<string, unknown> {
  const names = new Map<unknown, unknown>();
  const values = Array.isArray(messages) ? messages.filter(isPlainObject) : [];
  return {
    model,
    messages: values.map((message) => convertMessage(message, names)),
    ...(tools !== undefined && { tools }),
    ...(format !== undefined && { format }),
    stream,
    ...fixed,
  };
}

function convertMessage(
  { role, content, images, thinking, tool_calls: calls, tool_call_id: id }: Record<string, unknown>,
  names: Map<unknown, unknown>,
): Record<string, unknown> {
  const text = typeof content === "string" ? content : "";
  if (role === "tool") {
    return { role, content: text, tool_call_id: id, tool_name: names.get(id) ?? "" };
  }
  const called = Array.isArray(calls) ? calls.filter(isPlainObject).map(convertCall) : [];
  for (const call of called) names.set(call.id, call.function.name);
  return {
    role,
    content: text,
    ...(Array.isArray(images) && { images }),
    ...(typeof thinking === "string" && { thinking }),
    ...(called.length > 0 && { tool_calls: called }),
  };
}

function convertCall({ id, function: named }: Record<string, unknown>) {
  const { name, arguments: input } = isPlainObject(named) ? named : {};
  return { id, function: { name, arguments: isPlainObject(input) ? input : {} } };
}
