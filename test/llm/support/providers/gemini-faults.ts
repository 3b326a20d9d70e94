import { type SeenRequest, unknownKey } from "./strict-service.ts";

export interface GeminiRules {
  readonly thinking: { readonly budget: readonly [number, number] } | readonly string[];
  /** Calls of the current turn must be returned with their signature, as Gemini 3 requires. */
  readonly signed?: true;
  readonly steps?: number;
}

const FIELDS = [
  ...["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"],
  ...["safetySettings", "cachedContent"],
];
const GENERATION = [
  ...["maxOutputTokens", "temperature", "topK", "topP", "stopSequences", "seed"],
  ...["responseMimeType", "responseSchema", "thinkingConfig", "mediaResolution"],
];
const THINKING = ["includeThoughts", "thinkingBudget", "thinkingLevel"];
/** A part contains exactly one of these. */
const DATA = ["text", "inlineData", "functionCall", "functionResponse"];
const PART = [...DATA, "thought", "thoughtSignature"];
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  inlineData: ["mimeType", "data"],
  functionCall: ["id", "name", "args"],
  functionResponse: ["id", "name", "response", "parts"],
};
const DECLARATION = ["name", "description", "parameters", "parametersJsonSchema", "response"];
const SCHEMA = [
  ...["type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems"],
  ...["properties", "required", "minProperties", "maxProperties", "minLength", "maxLength"],
  ...["pattern", "example", "anyOf", "propertyOrdering", "default", "items", "minimum", "maximum"],
];

type Body = SeenRequest["body"];

export function geminiFault(body: Body, rules: GeminiRules): string | undefined {
  return (
    faultOfFields(body) ??
    faultOfThinking(body.generationConfig?.thinkingConfig, rules) ??
    faultOfTools(body.tools ?? []) ??
    faultOfParts(body.contents) ??
    faultOfTurns(body.contents) ??
    (rules.signed === true ? faultOfSignatures(body.contents) : undefined)
  );
}

function unknown(value: unknown, allowed: readonly string[], at: string): string | undefined {
  const key = unknownKey(value, allowed, "");
  const path = at === "" ? "" : ` at '${at}'`;
  return key === undefined
    ? undefined
    : `Invalid JSON payload received. Unknown name "${key}"${path}: Cannot find field.`;
}

function faultOfFields({ generationConfig, ...body }: Body): string | undefined {
  return (
    unknown(body, FIELDS, "") ??
    unknown(generationConfig, GENERATION, "generation_config") ??
    unknown(generationConfig?.thinkingConfig, THINKING, "generation_config.thinking_config")
  );
}

function faultOfThinking(response: Body, { thinking }: GeminiRules): string | undefined {
  const { thinkingBudget: budget, thinkingLevel: level } = response ?? {};
  if (budget !== undefined && level !== undefined) {
    return "You can only set only one of thinking budget and thinking level.";
  }
  if (!("budget" in thinking)) {
    return level === undefined || thinking.includes(level)
      ? undefined
      : `Thinking level ${level} is not supported for this model.`;
  }
  if (level !== undefined) return "Thinking level is not supported for this model.";
  const [least, most] = thinking.budget;
  if (budget === undefined || budget === -1 || (budget >= least && budget <= most)) {
    return undefined;
  }
  return budget === 0
    ? "Budget 0 is invalid. This model only works in thinking mode."
    : `The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`;
}

function faultOfTools(tools: Body): string | undefined {
  for (const { functionDeclarations = [] } of tools) {
    for (const [index, declared] of functionDeclarations.entries()) {
      const at = `tools[0].function_declarations[${index}]`;
      const fault =
        unknown(declared, DECLARATION, at) ??
        faultOfSchema(declared.parameters, `${at}.parameters`);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function faultOfSchema(schema: Body, at: string): string | undefined {
  if (schema === undefined) return undefined;
  const fault = unknown(schema, SCHEMA, at);
  if (fault !== undefined) return fault;
  if (typeof (schema.type ?? "") !== "string") return `Proto field is not repeating at '${at}'`;
  const inner: readonly [string, Body][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, value]): [string, Body] => [
      `${at}.properties[${name}]`,
      value,
    ]),
    ...(schema.anyOf ?? []).map((value: Body, index: number) => [`${at}.any_of[${index}]`, value]),
    [`${at}.items`, schema.items],
  ];
  for (const [place, value] of inner) {
    const wrong = faultOfSchema(value, place);
    if (wrong !== undefined) return wrong;
  }
  const names = Object.keys(schema.properties ?? {});
  const missing = (schema.required ?? []).find((name: string) => !names.includes(name));
  return missing === undefined ? undefined : `${at}.required: property is not defined: ${missing}`;
}

function faultOfParts(contents: Body): string | undefined {
  for (const [index, { role, parts, ...rest }] of contents.entries()) {
    const at = `contents[${index}]`;
    if (role !== "user" && role !== "model") return "Please use a valid role: user, model.";
    if (parts.length === 0) return `* GenerateContentRequest.${at}.parts: must not be empty`;
    const wrong = unknown(rest, [], at);
    if (wrong !== undefined) return wrong;
    for (const [number, part] of parts.entries()) {
      const path = `${at}.parts[${number}]`;
      const data = DATA.filter((name) => part[name] !== undefined);
      const [name = ""] = data;
      const fault = unknown(part, PART, path) ?? unknown(part[name], INSIDE[name] ?? [], path);
      if (name !== "text" && fault !== undefined) return fault;
      if (data.length !== 1) {
        return `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field`;
      }
    }
  }
  return undefined;
}

const countOf = (content: Body, name: string): number =>
  (content?.parts ?? []).filter((part: Body) => part[name] !== undefined).length;

function faultOfTurns(contents: Body): string | undefined {
  if (contents[0]?.role !== "user") {
    return "Please ensure that single turn requests end with a user role or the role field is empty.";
  }
  for (const [index, content] of contents.entries()) {
    const calls = countOf(content, "functionCall");
    if (calls > 0 && contents[index - 1]?.role !== "user") {
      return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    }
    if (calls > 0 && countOf(contents[index + 1], "functionResponse") !== calls) {
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
  }
  return undefined;
}

function faultOfSignatures(contents: Body): string | undefined {
  const response = contents.findLastIndex(
    (content: Body) => content.role === "user" && countOf(content, "text") > 0,
  );
  for (const [index, content] of contents.entries()) {
    if (index < response) continue;
    const first = content.parts.find((part: Body) => part.functionCall !== undefined);
    if (first !== undefined && first.thoughtSignature === undefined) {
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall.name}\`, position ${index}.`;
    }
  }
  return undefined;
}
