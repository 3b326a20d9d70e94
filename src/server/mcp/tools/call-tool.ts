import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  type CallOptions,
  DEFAULT_SHOWN,
  type Memory,
  type Operation,
  quoteJsonForModel,
  type ResourceLink,
  validateInput,
} from "../../../memory/index.ts";
import { CairnError, isCairnError } from "../../../shared/errors.ts";
import { fieldKind, isRequired } from "../../../shared/fields.ts";
import { escapeHidden, isNestedDeeper, isPlainObject, tryParseJson } from "../../../shared/json.ts";
import type { Logger } from "../../../shared/logger.ts";
import { formatForModel } from "../text/model-text.ts";
import type { ExposedTool } from "./exposed-tools.ts";

export interface ToolCall {
  readonly tool: ExposedTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

/**
 * Returns the result as text for the model, plus JSON and structured content if the client
 * requested it. Errors have the same JSON in both and set `isError`. Never rejects.
 */
export async function callTool(
  memory: Memory,
  call: ToolCall,
  logger: Logger,
): Promise<CallToolResult> {
  const { tool, options } = call;
  const { operation, hiddenFields, structured, textDefaults } = tool;
  try {
    const input = readArguments(operation, call.input);
    if (hiddenFields.some((field) => Object.hasOwn(input, field))) {
      const omitted = Object.fromEntries(hiddenFields.map((field) => [field, true] as const));
      validateInput(operation.input.omit(omitted as Record<string, never>), input, operation.name);
    }
    const answered = await memory.executeNamed(
      operation.name,
      { ...textDefaults, ...input },
      { ...options, surface: "mcp", maxItems: DEFAULT_SHOWN },
    );
    const output = limitLists(answered);
    const presented = operation.present?.(output, input).text;
    if (!structured) return { content: [createTextContent(presented ?? formatForModel(output))] };
    // Links cost a model as many tokens as a short item, so only clients with programs get them.
    const links = operation.mcp?.links?.(output) ?? [];
    return {
      content: [
        createTextContent(presented ?? quoteJsonForModel(escapeHidden(output, 2))),
        ...links.map(createLinkContent),
      ],
      structuredContent: isPlainObject(output) ? output : { result: output },
    };
  } catch (error) {
    return createErrorResult(error, logger);
  }
}

function createTextContent(text: string) {
  return { type: "text" as const, text };
}

function createLinkContent({ uri, title }: ResourceLink) {
  return { type: "resource_link" as const, uri, name: uri, title, mimeType: "application/json" };
}

function createErrorResult(error: unknown, logger: Logger): CallToolResult {
  const body = { error: requireKnownError(error, logger).toBody() };
  return {
    isError: true,
    content: [{ type: "text", text: quoteJsonForModel(JSON.stringify(body, null, 2)) }],
    structuredContent: { ...body },
  };
}

/** Logs unexpected errors; the client only sees `internal`. */
export function requireKnownError(error: unknown, logger: Logger): CairnError {
  if (isCairnError(error)) return error;
  if (error instanceof Error && error.name === "AbortError") {
    return new CairnError("unavailable", "The call was cancelled; nothing was written.");
  }
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new CairnError("internal", "Internal error; see the server log.");
}

/**
 * Truncates nested lists, such as a cluster's facts, to the default shown to models, with the
 * remainder in `omitted`. Operations limit their own paged lists.
 */
export function limitLists<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(limitLists) as Value;
  if (!isPlainObject(value)) return value;
  let omitted = 0;
  const entries = Object.entries(value).map(([field, item]) => {
    if (!Array.isArray(item) || item.length <= DEFAULT_SHOWN) return [field, limitLists(item)];
    omitted += item.length - DEFAULT_SHOWN;
    return [field, item.slice(0, DEFAULT_SHOWN).map(limitLists)];
  });
  const bounded = Object.fromEntries(entries);
  if (omitted > 0)
    bounded.omitted = omitted + (typeof value.omitted === "number" ? value.omitted : 0);
  return bounded as Value;
}

/**
 * Normalizes arguments as clients send them: numbers, booleans, arrays and objects as text,
 * changesets as JSON, and "" or "null" for omitted fields. Other values pass through so that the
 * operation's validation names the field.
 */
export function readArguments(
  { input: { shape } }: Pick<Operation, "input">,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (schema === undefined) return [field, value];
      if (isOmitted(schema, value)) return [field, null];
      return [field, readArgument(fieldKind(schema), value)];
    }),
  );
}

/** Some clients cannot send a JSON null. A field that accepts the text keeps it. */
function isOmitted(schema: z.core.$ZodType, value: unknown): boolean {
  const values = Array.isArray(value) ? value : [value];
  if (!values.every((it) => it === null || (typeof it === "string" && EMPTY.test(it))))
    return false;
  return !isRequired(schema) && !z.safeParse(schema, value).success;
}

const EMPTY = /^\s*(?:null)?\s*$/;

function readArgument(kind: ReturnType<typeof fieldKind>, value: unknown): unknown {
  if (typeof value === "string") return readText(kind, value);
  // Text fields with a JSON form, such as changesets.
  if (kind === "text" && Array.isArray(value) && !isNestedDeeper(value)) {
    return JSON.stringify(value);
  }
  return value;
}

function readText(kind: ReturnType<typeof fieldKind>, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case "integer":
    case "number":
    case "boolean": {
      const scalar = tryParseJson(trimmed.toLowerCase());
      const isOfKind = typeof scalar === (kind === "boolean" ? "boolean" : "number");
      return isOfKind ? scalar : text;
    }
    case "list":
    case "json": {
      const structure = /^[[{]/.test(trimmed) ? tryParseJson(trimmed) : undefined;
      return structure ?? text;
    }
    default:
      return text;
  }
}
