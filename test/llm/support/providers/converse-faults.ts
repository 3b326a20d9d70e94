import { type SeenRequest, unknownKey } from "./strict-service.ts";

const FIELDS = [
  ...["messages", "system", "toolConfig", "inferenceConfig", "additionalModelRequestFields"],
  ...["additionalModelResponseFieldPaths", "guardrailConfig", "serviceTier", "requestMetadata"],
];
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: [],
  image: ["format", "source"],
  toolUse: ["toolUseId", "name", "input"],
  toolResult: ["toolUseId", "content", "status"],
  reasoningContent: ["reasoningText", "redactedContent"],
  cachePoint: ["type", "ttl"],
};

type Body = SeenRequest["body"];

export function converseFault(body: Body, more: readonly string[]): string | undefined {
  const config = ["maxTokens", "temperature", "topP", "stopSequences"];
  const unknown =
    unknownKey(body, FIELDS, "") ??
    unknownKey(body.inferenceConfig, config, "inferenceConfig.") ??
    unknownKey(body.toolConfig, ["tools", "toolChoice"], "toolConfig.") ??
    faultOfTools(body.toolConfig?.tools ?? []);
  if (unknown !== undefined) return `extraneous key [${unknown}] is not permitted`;
  const own = unknownKey(body.additionalModelRequestFields, more, "");
  if (own !== undefined) return `The model returned the following errors: unknown field: ${own}`;
  return faultOfMessages(body.messages);
}

function faultOfTools(tools: Body): string | undefined {
  const spec = ["name", "description", "inputSchema", "strict"];
  for (const tool of tools) {
    const unknown =
      unknownKey(tool, ["toolSpec", "cachePoint"], "tools.") ??
      unknownKey(tool.toolSpec, spec, "tools.toolSpec.");
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

function faultOfMessages(messages: Body): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) {
      return "A conversation must alternate between user and assistant roles.";
    }
    for (const [at, block] of content.entries()) {
      const path = `messages.${index}.content.${at}`;
      const [name = "", ...others] = Object.keys(block);
      const allowed = BLOCKS[name];
      if (allowed === undefined || others.length > 0) return `${path}: no valid content block`;
      const unknown = name === "text" ? undefined : unknownKey(block[name], allowed, "");
      if (unknown !== undefined) return `extraneous key [${unknown}] is not permitted`;
      if (name === "text" && block.text.trim() === "") {
        return `The text field in the ContentBlock object at ${path} is blank.`;
      }
    }
    const idsOf = (message: Body, kind: string): readonly string[] =>
      (message?.content ?? []).flatMap((block: Body) =>
        block[kind] === undefined ? [] : [block[kind].toolUseId],
      );
    const answered = idsOf(messages[index + 1], "toolResult");
    const open = idsOf({ content }, "toolUse").find((id) => !answered.includes(id));
    if (open !== undefined) {
      return `Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${open}`;
    }
  }
  return undefined;
}
