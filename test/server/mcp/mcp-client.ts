import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { onTestFinished } from "vitest";
import { createMcpServer, type McpServerOptions } from "../../../src/server/mcp/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { openMemoryStore, temporaryFolder } from "../../support/memory-server.ts";

export async function mcpClient(options: Partial<McpServerOptions> = {}) {
  const store = options.store ?? openMemoryStore(temporaryFolder());
  const server = createMcpServer({
    store,
    db: undefined,
    interface: "a",
    tools: "all",
    structured: false,
    session: "s1",
    version: "0",
    logger: silentLogger,
    ...options,
  });
  const [own, other] = InMemoryTransport.createLinkedPair();
  await server.connect(other);
  const client = await connect(own);
  onTestFinished(() => store.close());
  return { client, store };
}

export async function httpClient(url: string) {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  return { client: await connect(transport as Transport), transport };
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

export function textOf(result: unknown): string {
  const [first] = (result as { content: { text: string }[] }).content;
  return first?.text ?? "";
}
