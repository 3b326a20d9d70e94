import { type SeenRequest, unknownKey } from "./strict-service.ts";

export interface MessagesRules {
  readonly thinking: "budget" | "adaptive" | "always";
  readonly isGateway?: true;
  /** Cloud API: the URL names the model, the body the version. */
  readonly cloud?: "bedrock" | "vertex";
  readonly largest?: number;
  readonly steps?: number;
  readonly calls?: (turn: number) => readonly CalledTool[];
}

export interface CalledTool {
  readonly name: string;
  readonly input: object;
}

const FIELDS: readonly string[] = [
  ...["messages", "system", "tools", "tool_choice", "max_tokens", "thinking"],
  ...["temperature", "top_k", "top_p", "stop_sequences", "metadata", "output_config"],
];
const VERSIONS = { bedrock: "bedrock-2023-05-31", vertex: "vertex-2023-10-16" };
const BETAS: readonly string[] = ["interleaved-thinking-2025-05-14", "context-1m-2025-08-07"];
const TOOL: readonly string[] = ["name", "description", "input_schema", "cache_control", "strict"];
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ["type", "text", "cache_control", "citations"],
  image: ["type", "source", "cache_control"],
  tool_use: ["type", "id", "name", "input", "cache_control", "caller"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
};

export function messagesFault(request: SeenRequest, rules: MessagesRules): string | undefined {
  const { body } = request;
  return (
    faultOfFields(request, rules) ??
    faultOfTools(body, rules) ??
    faultOfEffort(body, rules) ??
    faultOfMarks(body) ??
    faultOfBlocks(body.messages) ??
    faultOfResults(body.messages) ??
    faultOfThought(body)
  );
}

function faultOfFields({ body, headers }: SeenRequest, { cloud, isGateway }: MessagesRules) {
  const own = {
    bedrock: ["anthropic_version", "anthropic_beta"],
    vertex: ["anthropic_version", "stream"],
    none: ["model", "stream"],
  };
  const unknown = unknownKey(body, [...FIELDS, ...own[cloud ?? "none"]], "");
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (cloud === undefined && isGateway !== true) return undefined;
  if (cloud !== undefined && body.anthropic_version !== VERSIONS[cloud]) {
    return "anthropic_version: Field required";
  }
  const header = String(headers["anthropic-beta"] ?? "").split(",");
  const betas: readonly string[] = cloud === "bedrock" ? (body.anthropic_beta ?? []) : header;
  const wrong = betas.find((name) => name !== "" && !BETAS.includes(name));
  if (wrong === undefined) return undefined;
  return cloud === "bedrock"
    ? "invalid beta flag"
    : `Unexpected value(s) \`${wrong}\` for the \`anthropic-beta\` header.`;
}

function faultOfTools(body: SeenRequest["body"], { cloud, isGateway }: MessagesRules) {
  const isOwn = cloud === undefined && isGateway !== true;
  const allowed = [...TOOL, ...(isOwn ? ["eager_input_streaming"] : [])];
  for (const [index, tool] of (body.tools ?? []).entries()) {
    const field = unknownKey(tool, allowed, "");
    if (field !== undefined) {
      return `tools.${index}.custom.${field}: Extra inputs are not permitted`;
    }
  }
  return undefined;
}

function faultOfEffort(body: SeenRequest["body"], { thinking, largest }: MessagesRules) {
  const form = body.thinking?.type;
  if (thinking !== "budget" && form === "enabled") {
    return '"thinking.type.enabled" is not supported for this model. Use adaptive and output_config.effort';
  }
  if (thinking === "budget" && (form === "adaptive" || body.output_config !== undefined)) {
    return "adaptive thinking is not supported on this model";
  }
  if (thinking === "always" && form === "disabled") {
    return "thinking cannot be disabled for this model";
  }
  const { max_tokens: most } = body;
  if (largest !== undefined && most > largest) {
    return `max_tokens: ${most} > ${largest}, which is the maximum allowed number of output tokens`;
  }
  return form === "enabled" && most <= body.thinking.budget_tokens
    ? "`max_tokens` must be greater than `thinking.budget_tokens`."
    : undefined;
}

function faultOfMarks(body: SeenRequest["body"]): string | undefined {
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  return marks > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
    : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: messages as they were sent
type Messages = readonly any[];

function faultOfBlocks(messages: Messages): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [at, block] of content.entries()) {
      const path = `messages.${index}.content.${at}`;
      const allowed = BLOCKS[block.type];
      if (allowed === undefined) return `${path}: Input tag '${block.type}' is not expected`;
      const unknown = unknownKey(block, allowed, "");
      if (unknown !== undefined) {
        return `${path}.${block.type}.${unknown}: Extra inputs are not permitted`;
      }
      if (block.type === "text" && block.text === "") {
        return "messages: text content blocks must be non-empty";
      }
    }
  }
  return undefined;
}

function faultOfResults(messages: Messages): string | undefined {
  const idsOf = (message: Messages[number], type: string, field: string) =>
    Array.isArray(message?.content)
      ? message.content.flatMap((block: Record<string, unknown>) =>
          block.type === type ? [block[field]] : [],
        )
      : [];
  for (const [index, message] of messages.entries()) {
    const answered = idsOf(messages[index + 1], "tool_result", "tool_use_id");
    const open = idsOf(message, "tool_use", "id").find((id: unknown) => !answered.includes(id));
    if (open === undefined) continue;
    return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}.`;
  }
  return undefined;
}

function faultOfThought(body: SeenRequest["body"]): string | undefined {
  const isThinking = body.thinking !== undefined && body.thinking.type !== "disabled";
  const last = body.messages.findLastIndex(({ role }: { role: string }) => role === "assistant");
  for (const [index, { role, content }] of body.messages.entries()) {
    if (role !== "assistant" || !Array.isArray(content)) continue;
    const [first] = content;
    const isOpen = index === last && index === body.messages.length - 2;
    const hasCalls = content.some(({ type }: { type: string }) => type === "tool_use");
    if (isThinking && isOpen && hasCalls && !/thinking$/.test(first.type)) {
      return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
    }
    if (first?.type === "thinking" && first.signature === undefined) {
      return `messages.${index}.content.0.thinking.signature: Field required`;
    }
  }
  return undefined;
}
