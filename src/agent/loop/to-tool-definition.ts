import { z } from "zod";
import type { ToolDefinition } from "../../llm/index.ts";
import type { Tool } from "../tools/define-tool.ts";
import { leanSchema } from "./lean-schema.ts";

/** The tool as a model is told of it. */
export function toToolDefinition(tool: Tool): ToolDefinition {
  const { name, description } = tool;
  if (tool.inputSchema !== undefined) return { name, description, inputSchema: tool.inputSchema };
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, {
    io: "input",
    unrepresentable: "any",
  });
  return { name, description, inputSchema: leanSchema(inputSchema) };
}
