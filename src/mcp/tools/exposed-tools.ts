import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { ERROR_CODES } from "../../kernel/errors.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../../kernel/json-schema.ts";
import type { Operation } from "../../memory/index.ts";

/** `a`: labels and the change feed. `b`: the older shape, with topics. */
export type McpInterface = "a" | "b";

/** `core`: remember, recall, apply, snapshot, events. */
export type McpToolSet = "all" | "core";

export interface ToolChoice {
  readonly interface: McpInterface;
  readonly tools: McpToolSet;
}

export interface ExposedTool {
  readonly operation: Operation;
  readonly description: Tool;
  /** Fields of the input that this interface does not have. */
  readonly hiddenFields: readonly string[];
}

/** The tools of an interface, by name, in the registry's order. */
export function exposedTools(
  operations: ReadonlyMap<string, Operation>,
  choice: ToolChoice,
): ReadonlyMap<string, ExposedTool> {
  const tools = new Map<string, ExposedTool>();
  for (const operation of operations.values()) {
    if (isExposed(operation, choice)) tools.set(operation.name, expose(operation, choice));
  }
  return tools;
}

function isExposed({ mcp }: Operation, choice: ToolChoice): boolean {
  if (mcp?.interfaces === false) return false;
  if (choice.tools === "core" && mcp?.core !== true) return false;
  return mcp?.interfaces === undefined || mcp.interfaces.includes(choice.interface);
}

function expose(operation: Operation, choice: ToolChoice): ExposedTool {
  const { name, summary, description, kind, mcp } = operation;
  const hiddenFields = choice.interface === "a" ? (mcp?.fieldsOfB ?? []) : [];
  return {
    operation,
    hiddenFields,
    description: {
      name,
      title: titleOf(name),
      description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
      inputSchema: without(inputSchema(operation.input), hiddenFields) as Tool["inputSchema"],
      outputSchema: answerSchema(operation) as NonNullable<Tool["outputSchema"]>,
      annotations: {
        title: titleOf(name),
        readOnlyHint: kind === "read",
        destructiveHint: kind === "write" && mcp?.destructive === true,
        idempotentHint: kind === "read" || mcp?.idempotent === true,
        openWorldHint: false,
      },
    },
  };
}

function without(schema: JsonSchema, fields: readonly string[]): JsonSchema {
  const properties = Object.entries((schema.properties as JsonSchema | undefined) ?? {});
  return {
    ...schema,
    type: "object",
    properties: Object.fromEntries(properties.filter(([field]) => !fields.includes(field))),
  };
}

/**
 * The structured content of an answer, or of an error: clients check both against it. Content is an
 * object; an answer of another type stands in its `result`.
 */
function answerSchema({ output }: Operation): JsonSchema {
  const schema = outputSchema(output);
  const { required = [], ...answer } =
    schema.type === "object" ? schema : { ...OBJECT_WITH_RESULT, properties: { result: schema } };
  return {
    ...answer,
    properties: { ...(answer.properties as JsonSchema | undefined), error: ERROR },
    anyOf: [{ required }, { required: ["error"] }],
  };
}

const OBJECT_WITH_RESULT: JsonSchema = { type: "object", required: ["result"] };

const ERROR = {
  type: "object",
  description: "Only when the call failed.",
  properties: { code: { enum: [...ERROR_CODES] }, message: { type: "string" }, details: {} },
  required: ["code", "message"],
};

function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
