// A small MCP server: serves stdio when run, or can be mounted when imported.
import { argv, env, exit, pid } from "node:process";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

export function smallServer() {
  const server = new McpServer({ name: "small", version: "1.0.0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => ({ content: [{ type: "text", text: `sum ${a + b}` }] }),
  );
  server.registerTool("who", { description: "Tells about itself." }, async () => ({
    content: [
      { type: "text", text: `pid ${pid} key ${env.OPENAI_API_KEY ?? "none"} own ${env.OWN}` },
    ],
  }));
  server.registerTool("draw", { description: "Draws a dot." }, async () => ({
    content: [
      { type: "text", text: "a dot" },
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
    ],
  }));
  server.registerTool("flood", { description: "Says very much." }, async () => ({
    content: [{ type: "text", text: "x".repeat(100_000_000) }],
  }));
  server.registerTool("end", { description: "Ends the server." }, async () => exit(3));
  server.registerResource("notes", "notes://today", { title: "Notes" }, async (uri) => ({
    contents: [{ uri: uri.href, text: "Buy flour." }],
  }));
  server.registerPrompt(
    "greet",
    { description: "Greets.", argsSchema: { whom: z.string() } },
    ({ whom }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Say good morning to ${whom}.` } }],
    }),
  );
  return server;
}

if (argv[1] === import.meta.filename) await smallServer().connect(new StdioServerTransport());
