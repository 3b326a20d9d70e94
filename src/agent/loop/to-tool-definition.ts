import { z } from "zod";
import type { ToolDefinition } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { Tool } from "../tools/define-tool.ts";

const DROPPED_KEYWORDS = new Set(["minLength", "maxLength", "pattern", "propertyNames"]);
const HUGE_LIMIT = 1_000_000_000;

/**
 * Removes what only a validator needs: every request carries the schemas of all tools, and limits
 * that no sensible call meets are a tenth of them.
 */
function leanSchema(schema: object): object {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (isRedundant(key, value)) return [];
      return [[key, key === "properties" ? mapValues(value) : simplifySchema(value)]];
    }),
  );
}

function isRedundant(key: string, value: unknown): boolean {
  if (DROPPED_KEYWORDS.has(key)) return true;
  return key === "maximum" && typeof value === "number" && value >= HUGE_LIMIT;
}

/** Names of fields are not keywords of the schema. */
function mapValues(fields: unknown): unknown {
  if (!isPlainObject(fields)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, simplifySchema(value)]),
  );
}

function simplifySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifySchema);
  return isPlainObject(value) ? leanSchema(value) : value;
}

export function toToolDefinition(tool: Tool): ToolDefinition {
  const { name, description } = tool;
  if (tool.inputSchema !== undefined) return { name, description, inputSchema: tool.inputSchema };
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, {
    io: "input",
    unrepresentable: "any",
  });
  return { name, description, inputSchema: leanSchema(inputSchema) };
}
