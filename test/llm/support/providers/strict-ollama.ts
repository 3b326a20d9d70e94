import {
  type SeenRequest,
  type ServiceAnswer,
  type StrictService,
  startService,
  unknownKey,
} from "./strict-service.ts";

export interface OllamaRules {
  readonly largest?: number;
  readonly given?: number;
  /** Thinking is enabled by a switch or by levels; if absent, `think` is rejected. */
  readonly thinks?: "switch" | "levels";
  readonly steps?: number;
}

const FIELDS = ["model", "messages", "tools", "think", "format", "options", "stream", "keep_alive"];
const MESSAGE: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  user: ["role", "content", "images"],
  assistant: ["role", "content", "thinking", "tool_calls"],
  tool: ["role", "content", "tool_name", "tool_call_id"],
};
const CALL = ["id", "function"];
const DEFAULT_WINDOW = 4_096;

/**
 * An Ollama server according to its documentation (docs/api.md of version 0.13). It rejects
 * undocumented fields, which the real one ignores, and uses the requested context size.
 */
export async function startStrictOllama(rules: OllamaRules = {}): Promise<StrictService> {
  const { steps = 9, largest = 131_072, given = largest, thinks } = rules;
  let running: number | undefined;
  const service = await startService(({ path, body }, turn) => {
    if (path === "/api/show") {
      const capabilities = ["completion", "tools", ...(thinks === undefined ? [] : ["thinking"])];
      return {
        json: { capabilities, parameters: "", model_info: { "m.context_length": largest } },
      };
    }
    if (path === "/api/ps") {
      const models = running === undefined ? [] : [{ name: "m", context_length: running }];
      return { json: { models } };
    }
    if (path !== "/api/generate" && path !== "/api/chat") return refused(404, "404 page not found");
    running = Math.min(given, body.options?.num_ctx ?? DEFAULT_WINDOW);
    if (path === "/api/generate") return { json: { model: "m", response: "", done: true } };
    const wrong = faultOf(body, rules);
    if (wrong !== undefined) return refused(400, wrong);
    return { events: turn < steps ? callsOf(turn, rules) : closing() };
  });
  return { ...service, baseUrl: service.baseUrl.replace(/\/v1$/, "") };
}

function refused(status: number, error: string): ServiceAnswer {
  return { status, refusal: { error } };
}

function faultOf(body: SeenRequest["body"], { thinks }: OllamaRules): string | undefined {
  const unknown = unknownKey(body, FIELDS, "") ?? unknownKey(body.options, ["num_ctx"], "options.");
  if (unknown !== undefined) return `unknown field ${unknown}`;
  if (body.think !== undefined) {
    if (thinks === undefined) return '"m" does not support thinking';
    const isRight =
      thinks === "switch"
        ? typeof body.think === "boolean"
        : ["low", "medium", "high"].includes(body.think);
    if (!isRight) return `invalid think value: ${JSON.stringify(body.think)}`;
  }
  for (const [index, message] of body.messages.entries()) {
    const fault = faultOfMessage(message, index, body.messages);
    if (fault !== undefined) return `messages[${index}]: ${fault}`;
  }
  return undefined;
}

function faultOfMessage(
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  message: any,
  index: number,
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  all: readonly any[],
): string | undefined {
  const fields = MESSAGE[message.role];
  if (fields === undefined) return `invalid role ${message.role}`;
  const unknown = unknownKey(message, fields, "");
  if (unknown !== undefined) return `unknown field ${unknown}`;
  if (typeof message.content !== "string") return "content must be a string";
  const images: readonly unknown[] = message.images ?? [];
  if (images.some((image) => typeof image !== "string")) return "images must be base64";
  for (const [at, call] of (message.tool_calls ?? []).entries()) {
    const wrong =
      unknownKey(call, CALL, "") ?? unknownKey(call.function, ["name", "arguments"], "");
    if (wrong !== undefined) return `unknown field ${wrong}`;
    if (typeof call.function.arguments !== "object") return "arguments must be an object";
    const { tool_name: name, tool_call_id: id } = all[index + 1 + at] ?? {};
    if (name !== call.function.name || id !== call.id) return `no result for ${call.id}`;
  }
  return undefined;
}

const line = (fields: object): string =>
  `${JSON.stringify({ model: "m", created_at: "2026-01-01T00:00:00.000000Z", ...fields })}\n`;
const said = (message: object): string =>
  line({ message: { role: "assistant", content: "", ...message }, done: false });
const DONE = line({
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
  prompt_eval_count: 10,
  eval_count: 5,
});

function callsOf(turn: number, { thinks }: OllamaRules): readonly string[] {
  const call = (index: number) => ({
    id: `call_${turn}${index}`,
    function: { index, name: "read", arguments: { path: `f${turn}${index}` } },
  });
  const thought =
    thinks === undefined ? [] : [said({ thinking: "Let me " }), said({ thinking: "see." })];
  return [...thought, said({ tool_calls: [call(0)] }), said({ tool_calls: [call(1)] }), DONE];
}

function closing(): readonly string[] {
  return [said({ content: "Do" }), said({ content: "ne." }), DONE];
}
