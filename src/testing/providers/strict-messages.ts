import {
  event,
  type SeenRequest,
  type ServiceAnswer,
  type StrictService,
  startService,
  unknownKey,
} from "./strict-service.ts";

export interface MessagesRules {
  /** How the model is told to think. */
  readonly thinking: "budget" | "adaptive" | "always";
  /** A cloud behind it refuses what only the maker's own address takes. */
  readonly isGateway?: true;
  readonly steps?: number;
}

const FIELDS: readonly string[] = [
  ...["model", "messages", "system", "tools", "tool_choice", "max_tokens", "stream", "thinking"],
  ...["temperature", "top_k", "top_p", "stop_sequences", "metadata", "output_config"],
];
const TOOL: readonly string[] = ["name", "description", "input_schema", "cache_control", "strict"];

/** A server of the Messages API that refuses what the service would refuse. */
export function startStrictMessages(rules: MessagesRules): Promise<StrictService> {
  const { steps = 9 } = rules;
  return startService(
    ({ path, ...request }, turn) =>
      faultOf({ path, ...request }, rules) ?? { events: turn < steps ? calls(turn) : closing() },
  );
}

function refuse(message: string): ServiceAnswer {
  return {
    status: 400,
    refusal: { type: "error", error: { type: "invalid_request_error", message } },
  };
}

function faultOf({ body, path }: SeenRequest, rules: MessagesRules): ServiceAnswer | undefined {
  if (!path.endsWith("/messages")) return { status: 404, refusal: { error: { message: path } } };
  const unknown = unknownKey(body, FIELDS, "");
  if (unknown !== undefined) return refuse(`${unknown}: Extra inputs are not permitted`);
  const tool = [...TOOL, ...(rules.isGateway === true ? [] : ["eager_input_streaming"])];
  for (const [index, one] of (body.tools ?? []).entries()) {
    const field = unknownKey(one, tool, "");
    if (field !== undefined) {
      return refuse(`tools.${index}.custom.${field}: Extra inputs are not permitted`);
    }
  }
  const form = body.thinking?.type;
  if (rules.thinking !== "budget" && form === "enabled") {
    return refuse(
      '"thinking.type.enabled" is not supported for this model. Use adaptive and output_config.effort',
    );
  }
  if (rules.thinking === "budget" && (form === "adaptive" || body.output_config !== undefined)) {
    return refuse("adaptive thinking is not supported on this model");
  }
  if (rules.thinking === "always" && form === "disabled") {
    return refuse("thinking cannot be disabled for this model");
  }
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  if (marks > 4)
    return refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  return faultOfThought(body);
}

/** While tools are called, what was thought before the calls comes back first, with its signature. */
function faultOfThought(body: SeenRequest["body"]): ServiceAnswer | undefined {
  const isThinking = body.thinking !== undefined && body.thinking.type !== "disabled";
  for (const [index, { role, content }] of body.messages.entries()) {
    if (role !== "assistant" || !Array.isArray(content)) continue;
    const [first] = content;
    const hasCalls = content.some(({ type }: { type: string }) => type === "tool_use");
    if (isThinking && hasCalls && first.type !== "thinking") {
      return refuse(
        `messages.${index}.content.0.type: Expected \`thinking\`, but found \`${first.type}\``,
      );
    }
    if (first.type === "thinking" && first.signature === undefined) {
      return refuse(`messages.${index}.content.0.signature: Field required`);
    }
  }
  return undefined;
}

type Block = Readonly<Record<string, unknown>>;

const send = (data: { readonly type: string } & Block) => event(data, data.type);

function start(): string {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 1 };
  const empty = { content: [], stop_reason: null, stop_sequence: null, usage };
  const message = { id: "m", type: "message", role: "assistant", model: "x", ...empty };
  return send({ type: "message_start", message });
}

function block(index: number, content_block: Block, deltas: readonly Block[]): string[] {
  return [
    send({ type: "content_block_start", index, content_block }),
    ...deltas.map((delta) => send({ type: "content_block_delta", index, delta })),
    send({ type: "content_block_stop", index }),
  ];
}

const end = (stop_reason: string): string[] => [
  send({
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  }),
  send({ type: "message_stop" }),
];

function calls(turn: number): string[] {
  const call = (index: number) =>
    block(index, { type: "tool_use", id: `toolu_${turn}_${index}`, name: "read", input: {} }, [
      { type: "input_json_delta", partial_json: '{"pa' },
      { type: "input_json_delta", partial_json: `th":"f${turn}${index}"}` },
    ]);
  const thinking = block(0, { type: "thinking", thinking: "" }, [
    { type: "thinking_delta", thinking: `Step ${turn}.` },
    { type: "signature_delta", signature: `s${turn}` },
  ]);
  return [start(), ...thinking, ...call(1), ...call(2), ...end("tool_use")];
}

function closing(): string[] {
  const text = block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "Done." }]);
  return [start(), ...text, ...end("end_turn")];
}
