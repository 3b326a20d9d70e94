import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Operation } from "../../../memory/index.ts";
import { type AccessScope, OWNER } from "../../../shared/caller.ts";
import { ERROR_CODES } from "../../../shared/errors.ts";
import { getMeta } from "../../../shared/fields.ts";
import {
  inputSchema,
  type JsonSchema,
  leanSchema,
  outputSchema,
} from "../../../shared/json-schema.ts";

/** `a`: labels and change feed. `b`: the older interface, with topics. */
export type McpInterface = "a" | "b";

/** `core`: remember, recall, apply, snapshot, events, resolve_conflict, dismiss_conflict, undo. */
export type McpToolSet = "all" | "core";

export interface ToolChoice {
  readonly interface: McpInterface;
  readonly tools: McpToolSet;
  /** Adds output schemas to tools and structured content to results. */
  readonly structured: boolean;
  readonly hasLayers?: boolean;
}

export interface ExposedTool {
  readonly operation: Operation;
  readonly description: Tool;
  /** Input fields hidden in this interface. */
  readonly hiddenFields: readonly string[];
  readonly structured: boolean;
  readonly textDefaults: Readonly<Record<string, unknown>>;
}

/** Returns an interface's tools by name, in registry order. */
export function createExposedTools(
  operations: ReadonlyMap<string, Operation>,
  choice: ToolChoice,
  scope: AccessScope = OWNER.scope,
): ReadonlyMap<string, ExposedTool> {
  const tools = new Map<string, ExposedTool>();
  for (const operation of operations.values()) {
    const isOffered = operation.mcp?.onlyFor === scope || isExposed(operation, choice);
    if (isOffered) tools.set(operation.name, exposeOperation(operation, choice));
  }
  return tools;
}

function isExposed({ mcp }: Operation, choice: ToolChoice): boolean {
  if (mcp?.interfaces === false) return false;
  if (mcp?.onlyWithLayers === true && choice.hasLayers !== true) return false;
  if (choice.tools === "core" && mcp?.core !== true) return false;
  return mcp?.interfaces === undefined || mcp.interfaces.includes(choice.interface);
}

function exposeOperation(operation: Operation, choice: ToolChoice): ExposedTool {
  const { name, kind, mcp } = operation;
  const { structured } = choice;
  const hiddenFields = [
    ...(mcp?.hiddenFields ?? []),
    ...(choice.interface === "a" ? (mcp?.fieldsOfB ?? []) : []),
  ];
  const textDefaults = structured ? {} : (mcp?.textDefaults ?? {});
  const schema = inputSchema(operation.input);
  return {
    operation,
    hiddenFields,
    structured,
    textDefaults,
    description: {
      name,
      title: formatTitle(name),
      description: describeTool(operation),
      inputSchema: createShownSchema(structured ? schema : leanSchema(schema), {
        hiddenFields: structured ? hiddenFields : [...hiddenFields, ...fieldsOfPrograms(operation)],
        plainFields: structured ? [] : (mcp?.plainFields ?? []),
        textDefaults,
      }),
      ...(structured && {
        outputSchema: createOutputSchema(operation) as NonNullable<Tool["outputSchema"]>,
      }),
      annotations: {
        readOnlyHint: kind === "read",
        destructiveHint: kind === "write" && mcp?.destructive === true,
        idempotentHint: kind === "read" || mcp?.idempotent === true,
        openWorldHint: false,
      },
      ...createHints(mcp),
    },
  };
}

function describeTool({ summary, description, mcp }: Operation): string {
  const first = mcp?.purpose ?? `${summary}.`;
  const more = mcp?.detail ?? description ?? "";
  const fullText = more === "" ? first : `${first} ${more}`;
  return /\bmemory\b/i.test(fullText) ? fullText : `Memory: ${fullText.replace(/^./, lowerFirst)}`;
}

const lowerFirst = (letter: string) => letter.toLowerCase();

/** Search terms for clients that load tools on demand, which always load the core set. */
function createHints(mcp: Operation["mcp"]): Pick<Tool, "_meta"> {
  const meta = {
    ...(mcp?.alwaysLoad === true && { "anthropic/alwaysLoad": true }),
    ...(mcp?.searchHint !== undefined && { "anthropic/searchHint": mcp.searchHint }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/**
 * Fields only programs use, such as idempotency keys and preconditions. Accepted but hidden from
 * models.
 */
function fieldsOfPrograms({ input, mcp }: Operation): string[] {
  const values = Object.entries(input.shape).filter(([, field]) => {
    const { ofCall, ofPrograms } = getMeta(field);
    return ofCall || ofPrograms;
  });
  return [...values.map(([name]) => name), ...(mcp?.fieldsOfPrograms ?? [])];
}

interface ShownFields extends Pick<ExposedTool, "hiddenFields" | "textDefaults"> {
  readonly plainFields: readonly string[];
}

function createShownSchema(
  schema: JsonSchema,
  { hiddenFields, plainFields, textDefaults }: ShownFields,
): Tool["inputSchema"] {
  const fields = (schema.properties as Readonly<Record<string, JsonSchema>> | undefined) ?? {};
  const properties = Object.entries(fields)
    .filter(([field]) => !hiddenFields.includes(field))
    .map(([field, { description, ...shape }]): [string, object] => [
      field,
      {
        ...shape,
        ...(description !== undefined && !plainFields.includes(field) && { description }),
        ...(Object.hasOwn(textDefaults, field) && { default: textDefaults[field] }),
      },
    ]);
  return { ...schema, type: "object", properties: Object.fromEntries(properties) };
}

/**
 * Schema of structured content, which clients also validate errors against. Non-object results are
 * wrapped in `result`.
 */
function createOutputSchema({ output }: Operation): JsonSchema {
  const schema = outputSchema(output);
  const { required = [], ...answer } =
    schema.type === "object" ? schema : { ...OBJECT_WITH_RESULT, properties: { result: schema } };
  return {
    ...answer,
    properties: { ...(answer.properties as JsonSchema | undefined), error: ERROR_SCHEMA },
    anyOf: [{ required }, { required: ["error"] }],
  };
}

const OBJECT_WITH_RESULT: JsonSchema = { type: "object", required: ["result"] };

const ERROR_SCHEMA = {
  type: "object",
  description: "Only if the call failed.",
  properties: { code: { enum: [...ERROR_CODES] }, message: { type: "string" }, details: {} },
  required: ["code", "message"],
};

function formatTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
