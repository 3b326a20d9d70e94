import { converseFault } from "./converse-faults.ts";
import { frame } from "./event-stream.ts";
import { type MessagesRules, messagesFault } from "./messages-faults.ts";
import { createTwoReadCalls, messagesCalls, messagesClosing } from "./messages-stream.ts";
import { type ServiceAnswer, type StrictService, startService } from "./strict-service.ts";

export type BedrockRules = { readonly steps?: number } & (
  | { readonly claude: Pick<MessagesRules, "thinking" | "largest"> }
  | { readonly fields: readonly string[] }
);

const TYPE = "application/vnd.amazon.eventstream";

export async function startStrictBedrock(rules: BedrockRules): Promise<StrictService> {
  const { steps = 9 } = rules;
  const ending = "claude" in rules ? "invoke-with-response-stream" : "converse-stream";
  const service = await startService((request, turn) => {
    const [, model, way] = /^\/model\/([^/]+)\/([^/]+)$/.exec(request.path) ?? [];
    if (model === undefined || way !== ending) return refuse(404, "UnknownOperationException");
    const { authorization = "" } = request.headers;
    if (!/^(Bearer |AWS4-HMAC-SHA256 )/.test(String(authorization))) {
      return refuse(403, "Missing Authentication Token");
    }
    const isOpen = turn < steps;
    if ("claude" in rules) {
      const fault = messagesFault(request, { ...rules.claude, cloud: "bedrock" });
      if (fault !== undefined) return refuse(400, fault);
      const events = isOpen ? messagesCalls(turn, createTwoReadCalls(turn)) : messagesClosing();
      const inFrame = (one: object) => Buffer.from(JSON.stringify(one)).toString("base64");
      return { type: TYPE, events: events.map((one) => frame("chunk", { bytes: inFrame(one) })) };
    }
    const fault = converseFault(request.body, rules.fields);
    if (fault !== undefined) return refuse(400, fault);
    return { type: TYPE, events: isOpen ? callsOf(turn) : closing() };
  });
  return { ...service, baseUrl: service.baseUrl.replace(/\/v1$/, "") };
}

function refuse(status: number, message: string): ServiceAnswer {
  return { status, refusal: { message } };
}

const start = frame("messageStart", { role: "assistant" });
const end = (stopReason: string): readonly Uint8Array[] => [
  frame("messageStop", { stopReason }),
  frame("metadata", {
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    metrics: { latencyMs: 1 },
  }),
];
const delta = (contentBlockIndex: number, piece: object) =>
  frame("contentBlockDelta", { contentBlockIndex, delta: piece });
const stop = (contentBlockIndex: number) => frame("contentBlockStop", { contentBlockIndex });

function callsOf(turn: number): readonly Uint8Array[] {
  const call = (index: number) => {
    const toolUse = { toolUseId: `tooluse_${turn}_${index}`, name: "read" };
    return [
      frame("contentBlockStart", { contentBlockIndex: index, start: { toolUse } }),
      delta(index, { toolUse: { input: '{"pa' } }),
      delta(index, { toolUse: { input: `th":"f${turn}${index - 1}"}` } }),
      stop(index),
    ];
  };
  const thought = [delta(0, { reasoningContent: { text: `Step ${turn}.` } }), stop(0)];
  return [start, ...thought, ...call(1), ...call(2), ...end("tool_use")];
}

function closing(): readonly Uint8Array[] {
  return [start, delta(0, { text: "Do" }), delta(0, { text: "ne." }), stop(0), ...end("end_turn")];
}
