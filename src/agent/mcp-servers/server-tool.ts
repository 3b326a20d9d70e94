import { createHash } from "node:crypto";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isPlainObject } from "../../kernel/json.ts";
import { type Picture, pictureOf } from "../images/picture.ts";
import { defineTool, type Tool, type ToolResult } from "../tools/define-tool.ts";
import type { McpServer } from "./mcp-server.ts";

/** Of what a server says about a tool; characters. */
const MAX_DESCRIPTION = 4_000;
const MAX_NAME = 64;

/** A server's tool as one of the agent's; what it may do is unknown, so it asks like anything unknown. */
export function serverTool(server: McpServer, tool: McpTool): Tool {
  return defineTool({
    name: toolName(server.name, tool.name),
    description: (tool.description ?? tool.title ?? tool.name).slice(0, MAX_DESCRIPTION),
    input: z.looseObject({}),
    inputSchema: tool.inputSchema,
    checksInput: true,
    readOnly: false,
    uses: () => [{ kind: "unknown" }],
    title: (input) => `${server.name}: ${tool.name} ${JSON.stringify(input)}`,
    async run({ signal }, input) {
      const { client } = await server.use(signal);
      const result = await client.callTool({ name: tool.name, arguments: input }, undefined, {
        // The client leaves its listener behind, and a run makes many calls.
        signal: AbortSignal.any([signal]),
        timeout: server.settings.timeoutMs,
        resetTimeoutOnProgress: true,
      });
      // A result of the protocol's first version has another shape; nobody speaks that any more.
      return toResult(result as CallToolResult);
    },
  });
}

/** `mcp__<server>__<tool>`; a name that is too long keeps its beginning and gets a hash. */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_");
  if (name.length <= MAX_NAME) return name;
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}_${hash}`;
}

function toResult({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const texts = (content ?? []).map(textOf);
  const structured = isPlainObject(structuredContent) ? JSON.stringify(structuredContent) : "";
  const text = texts.length > 0 ? texts.join("\n") : structured;
  const pictures = (content ?? []).flatMap(pictureIn);
  return {
    text: text === "" ? "(no result)" : text,
    ...(isError === true && { isError: true }),
    ...(pictures.length > 0 && { pictures }),
  };
}

/** One that no model takes stays a line of text. */
function pictureIn(block: CallToolResult["content"][number]): Picture[] {
  if (block.type !== "image") return [];
  try {
    return [pictureOf(Buffer.from(block.data, "base64"), "The image")];
  } catch {
    return [];
  }
}

function textOf(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}: binary]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    default:
      return `[${block.type} ${block.mimeType}, ${Math.round((block.data.length * 3) / 4)} bytes]`;
  }
}
