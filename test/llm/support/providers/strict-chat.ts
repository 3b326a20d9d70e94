import {
  event,
  type SeenRequest,
  type ServiceAnswer,
  type StrictService,
  startService,
  unknownKey,
} from "./strict-service.ts";

export interface ChatRules {
  readonly fields?: readonly string[];
  /** Accepted values of `reasoning_effort`; if absent, the field is rejected. */
  readonly efforts?: readonly string[];
  readonly thoughtBack?: "reasoning_content" | "reasoning_details";
  readonly usageAtEnd?: true;
  /** Responses contain a list with thinking parts, like Mistral's. */
  readonly contentIsList?: true;
  readonly thinksIn?: "reasoning_content" | "reasoning" | "reasoning_details";
  readonly refuses?: (field: string) => ServiceAnswer;
  readonly steps?: number;
}

const FIELDS: readonly string[] = [
  ...["model", "messages", "tools", "tool_choice", "stream", "stream_options", "max_tokens"],
  ...["temperature", "top_p", "stop", "seed", "response_format", "parallel_tool_calls"],
];
const ASSISTANT: readonly string[] = ["role", "content", "tool_calls"];

/**
 * A chat-completions server that rejects what the real service rejects: unknown fields, unsupported
 * levels, and unsupported or missing reasoning.
 */
export function startStrictChat(rules: ChatRules = {}): Promise<StrictService> {
  const { steps = 9 } = rules;
  return startService((request, turn) => {
    const wrong = faultOf(request, rules);
    if (wrong !== undefined) return wrong;
    return { events: turn < steps ? callsOf(turn, rules) : closing(rules) };
  });
}

function refused(field: string, rules: ChatRules): ServiceAnswer {
  const said = {
    error: { message: `property '${field}' is unsupported`, type: "invalid_request_error" },
  };
  return rules.refuses?.(field) ?? { status: 400, refusal: said };
}

function faultOf({ body, path }: SeenRequest, rules: ChatRules): ServiceAnswer | undefined {
  if (!path.endsWith("/chat/completions")) {
    return { status: 404, refusal: { error: { message: `no ${path}` } } };
  }
  const efforts = rules.efforts ?? [];
  const effort = rules.efforts === undefined ? [] : ["reasoning_effort"];
  const unknown = unknownKey(body, [...FIELDS, ...effort, ...(rules.fields ?? [])], "");
  if (unknown !== undefined) return refused(unknown, rules);
  if (body.reasoning_effort !== undefined && !efforts.includes(body.reasoning_effort)) {
    const message = `reasoning_effort: must be one of ${efforts.join(", ")}`;
    return { status: 400, refusal: { error: { message } } };
  }
  for (const [index, message] of body.messages.entries()) {
    const fault = faultOfMessage(message, index, { body, rules });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfMessage(
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  message: any,
  index: number,
  { body, rules }: { body: SeenRequest["body"]; rules: ChatRules },
): ServiceAnswer | undefined {
  if (message.role !== "assistant") return undefined;
  const back = rules.thoughtBack;
  const own =
    back === undefined ? [] : [back, ...(back === "reasoning_details" ? ["reasoning"] : [])];
  const unknown = unknownKey(message, [...ASSISTANT, ...own], "");
  if (unknown !== undefined) return refused(unknown, rules);
  const calls: readonly { id: string }[] = message.tool_calls ?? [];
  const response = body.messages.findLastIndex(({ role }: { role: string }) => role === "user");
  if (back !== undefined && index > response && calls.length > 0 && message[back] === undefined) {
    const text = `messages[${index}]: calls of tools require ${back} to be preserved`;
    return { status: 400, refusal: { error: { message: text } } };
  }
  const answered = new Set(
    body.messages
      .slice(index + 1, index + 1 + calls.length)
      .map((next: { tool_call_id?: string }) => next.tool_call_id),
  );
  const missing = calls.find(({ id }) => !answered.has(id));
  if (missing === undefined) return undefined;
  const text = `messages[${index}]: the call ${missing.id} has no result right behind it`;
  return { status: 400, refusal: { error: { message: text } } };
}

const chunk = (delta: object, finish: string | null = null, usage?: object): string =>
  event({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage !== undefined && { usage }),
  });

function thought(text: string, rules: ChatRules): string[] {
  if (rules.contentIsList === true) {
    const thinking = [{ type: "text", text }];
    return [chunk({ role: "assistant", content: [{ type: "thinking", thinking }] })];
  }
  const name = rules.thinksIn;
  if (name === undefined) return [];
  const value =
    name === "reasoning_details"
      ? [
          {
            type: "reasoning.text",
            text,
            signature: `s-${text}`,
            format: "google-gemini-v1",
            index: 0,
          },
        ]
      : text;
  return [chunk({ role: "assistant", content: "", [name]: value }), chunk({})];
}

function callsOf(turn: number, rules: ChatRules): string[] {
  const call = (index: number) => {
    const id = `call${turn}x${index}`.padEnd(9, "0").slice(0, 9);
    const first = { index, id, type: "function", function: { name: "read", arguments: "" } };
    const piece = (text: string) =>
      chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    return [chunk({ tool_calls: [first] }), piece('{"pa'), piece(`th":"f${turn}${index}"}`)];
  };
  return [
    ...thought(`Step ${turn}.`, rules),
    ...call(0),
    ...call(1),
    ...ending("tool_calls", rules),
  ];
}

function closing(rules: ChatRules): string[] {
  const content = rules.contentIsList === true ? [{ type: "text", text: "Done." }] : "Done.";
  return [chunk({ content }), ...ending("stop", rules)];
}

function ending(reason: string, { usageAtEnd }: ChatRules): string[] {
  if (usageAtEnd === true) return [chunk({}, reason, USAGE), event("[DONE]")];
  return [chunk({}, reason), usage(), event("[DONE]")];
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const usage = () =>
  event({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: USAGE,
  });
