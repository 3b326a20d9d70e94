// An MCP server that answers as some in the world do. Its first argument names the answers to tools/call.
import { argv, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";

const [, , answers = "{}", end = ""] = argv;
const inputSchema = { type: "object", properties: {} };
const tools = Object.keys(JSON.parse(answers)).map((name) => ({ name, inputSchema }));
const send = (message) => stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

stdout.write("[02/11/26] INFO  Starting MCP server\n");
for await (const line of createInterface({ input: stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    // Declares lists that it does not answer.
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    send({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: "odd", version: "1" } },
    });
  } else if (method === "tools/list") send({ id, result: { tools, nextCursor: end } });
  else if (method === "tools/call") send({ id, result: JSON.parse(answers)[params.name] });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
}
