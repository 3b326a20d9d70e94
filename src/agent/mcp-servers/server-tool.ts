import { createHash } from "node:crypto";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isPlainObject } from "../../shared/json.ts";
import { stripControl } from "../../shared/text.ts";
import { fence } from "../documents/fence.ts";
import { type Picture, pictureOf } from "../images/picture.ts";
import { defineTool, type Tool, type ToolResult } from "../tools/define-tool.ts";
import type { McpServer } from "./mcp-server.ts";

const MAX_DESCRIPTION = 4_000;
const MAX_NAME = 64;
const MAX_SUMMARY = 400;

/** A server's tool as one of the agent's; what it may do is unknown, so it asks like anything unknown. */
export function serverTool(server: McpServer, tool: McpTool): Tool {
  const name = toolName(server.name, tool.name);
  const version = versionOf(tool);
  return defineTool({
    name,
    description: stripControl(tool.description ?? tool.title ?? tool.name).slice(
      0,
      MAX_DESCRIPTION,
    ),
    input: z.looseObject({}),
    inputSchema: withoutControl(tool.inputSchema),
    checksInput: true,
    readOnly: false,
    uses: () => [{ kind: "unknown", version }],
    title: (input) => `${server.name}: ${tool.name} ${JSON.stringify(input)}`,
    async run({ signal }, input) {
      const result = await server.call(signal, ({ client }, limit) =>
        client.callTool({ name: tool.name, arguments: input }, undefined, {
          signal: limit,
          timeout: server.settings.timeoutMs,
          resetTimeoutOnProgress: true,
        }),
      );
      return fenced(name, toResult(result as CallToolResult));
    },
  });
}

function versionOf({ description, title, inputSchema, annotations }: McpTool): string {
  const told = JSON.stringify([description, title, inputSchema, annotations]);
  const hash = createHash("sha256").update(told).digest("hex").slice(0, 12);
  return `as its server describes it now (${hash})`;
}

function withoutControl<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value === "string") return stripControl(value);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [stripControl(key), inner]),
    );
  }) as T;
}

function fenced(name: string, result: ToolResult): ToolResult {
  const said = stripControl(result.text);
  const summary = said.trimStart().split("\n", 1)[0] ?? "";
  return {
    ...result,
    text: fence("tool_answer", said, { tool: name }),
    summary: summary.slice(0, MAX_SUMMARY),
    comparableText: said,
  };
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
