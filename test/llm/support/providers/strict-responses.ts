import {
  event,
  type SeenRequest,
  type ServiceAnswer,
  type StrictService,
  startService,
  unknownKey,
} from "./strict-service.ts";

export interface ResponsesRules {
  readonly efforts: readonly string[];
  readonly without?: readonly string[];
  readonly steps?: number;
}

const FIELDS: readonly string[] = [
  ...["model", "input", "instructions", "tools", "tool_choice", "stream", "store", "include"],
  ...["reasoning", "prompt_cache_key", "parallel_tool_calls", "max_output_tokens", "temperature"],
  ...["text", "top_p", "metadata", "service_tier", "user", "truncation", "previous_response_id"],
];

export function startStrictResponses(rules: ResponsesRules): Promise<StrictService> {
  const { steps = 9 } = rules;
  return startService(
    (request, turn) =>
      faultOf(request, rules) ?? { events: turn < steps ? calls(turn) : closing(turn) },
  );
}

function refuse(message: string, param: string): ServiceAnswer {
  const error = { message, type: "invalid_request_error", param, code: null };
  return { status: 400, refusal: { error } };
}

function faultOf({ body, path }: SeenRequest, rules: ResponsesRules): ServiceAnswer | undefined {
  if (!path.endsWith("/responses")) return { status: 404, refusal: { error: { message: path } } };
  const allowed = FIELDS.filter((name) => rules.without?.includes(name) !== true);
  const unknown = unknownKey(body, allowed, "");
  if (unknown !== undefined) return refuse(`Unknown parameter: '${unknown}'.`, unknown);
  const effort = body.reasoning?.effort;
  if (effort !== undefined && !rules.efforts.includes(effort)) {
    return refuse(
      `Unsupported value: '${effort}' is not supported with this model. Supported values are: ${rules.efforts.join(", ")}.`,
      "reasoning.effort",
    );
  }
  for (const [index, item] of body.input.entries()) {
    if (item.type !== "reasoning") continue;
    if (typeof item.encrypted_content !== "string") {
      return refuse(
        `input[${index}]: Item '${item.id}' not found. Items are not persisted when store is false.`,
        "input",
      );
    }
    const next = body.input[index + 1]?.type ?? "nothing";
    if (next !== "function_call" && next !== "reasoning" && next !== "message") {
      return refuse(
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
        "input",
      );
    }
  }
  const ids = body.input.flatMap((item: { type?: string; call_id?: string }) =>
    item.type === "function_call_output" ? [item.call_id] : [],
  );
  const open = body.input.find(
    (item: { type?: string; call_id?: string }) =>
      item.type === "function_call" && !ids.includes(item.call_id),
  );
  return open === undefined
    ? undefined
    : refuse(`No tool output found for function call ${open.call_id}.`, "input");
}

const send = (type: string, rest: object) => event({ type, sequence_number: 0, ...rest }, type);

const created = (turn: number) => {
  const response = { id: `resp_${turn}`, object: "response", created_at: 1, model: "m" };
  return send("response.created", { response });
};

const completed = () => {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 15,
  };
  return send("response.completed", { response: { incomplete_details: null, usage } });
};

function calls(turn: number): string[] {
  const reasoning = {
    ...{ type: "reasoning", id: `rs_${turn}`, encrypted_content: `e${turn}`, summary: [] },
  };
  const call = (index: number) => {
    const id = `fc_${turn}_${index}`;
    const own = { type: "function_call", id, call_id: `call_${turn}_${index}`, name: "read" };
    const text = JSON.stringify({ path: `f${turn}${index}` });
    return [
      send("response.output_item.added", { output_index: index, item: { ...own, arguments: "" } }),
      send("response.function_call_arguments.delta", {
        item_id: id,
        output_index: index,
        delta: text,
      }),
      send("response.output_item.done", {
        output_index: index,
        item: { ...own, arguments: text, status: "completed" },
      }),
    ];
  };
  return [
    created(turn),
    send("response.output_item.added", { output_index: 0, item: { ...reasoning } }),
    send("response.output_item.done", { output_index: 0, item: reasoning }),
    ...call(1),
    ...call(2),
    completed(),
  ];
}

function closing(turn: number): string[] {
  const item = { type: "message", id: `msg_${turn}`, role: "assistant" };
  return [
    created(turn),
    send("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }),
    send("response.output_text.delta", {
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      delta: "Done.",
    }),
    send("response.output_item.done", {
      output_index: 0,
      item: { ...item, content: [{ type: "output_text", text: "Done.", annotations: [] }] },
    }),
    completed(),
  ];
}
