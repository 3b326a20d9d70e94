import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMcpServer, serveStdio } from "../../src/server/mcp/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { openMemoryStore, serveMemory } from "../support/memory-server.ts";
import { type Outcome, type Surface, type SurfaceSetup, surfaceSetup } from "./surface.ts";

const VARIANTS = ["a", "b"] as const;

export async function mcpStdioSurface(ground: SurfaceSetup): Promise<Surface> {
  const store = openMemoryStore(ground.dataDir, [], surfaceSetup(ground));
  const servers: Promise<void>[] = [];
  const clients = new Map<string, Client>();
  for (const variant of VARIANTS) {
    const server = createMcpServer({
      store,
      db: undefined,
      interface: variant,
      tools: "all",
      structured: true,
      session: undefined,
      version: "0",
      logger: silentLogger,
    });
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    servers.push(
      serveStdio(server, { stdin, stdout, logger: silentLogger, messageBytes: 8 * 1024 * 1024 }),
    );
    clients.set(variant, await connected(new LineTransport(stdout, stdin)));
  }
  return surface("MCP stdio", clients, async () => {
    await Promise.all(servers);
    await store.close();
  });
}

export async function mcpHttpSurface(ground: SurfaceSetup): Promise<Surface> {
  const server = await serveMemory(surfaceSetup(ground));
  const clients = new Map<string, Client>();
  for (const variant of VARIANTS) {
    const url = new URL(`${server.url}/mcp?structured=1&interface=${variant}`);
    clients.set(variant, await connected(new StreamableHTTPClientTransport(url) as Transport));
  }
  return surface("MCP HTTP", clients, () => server.end());
}

function surface(
  name: string,
  clients: ReadonlyMap<string, Client>,
  end: () => Promise<void>,
): Surface {
  return {
    name,
    async call(operation, input) {
      const variants = operation.mcp?.interfaces ?? ["a", "b"];
      if (variants === false || operation.mcp?.onlyWithLayers === true) return undefined;
      const needsB = (operation.mcp?.fieldsOfB ?? []).some((field) => field in input);
      const client = clients.get(needsB ? "b" : (variants[0] ?? "a"));
      const result = await client?.callTool({ name: operation.name, arguments: { ...input } });
      return result?.isError === true
        ? (result.structuredContent as Outcome)
        : { output: result?.structuredContent };
    },
    async close() {
      for (const client of clients.values()) await client.close();
      await end();
    },
  };
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "contract", version: "1" });
  await client.connect(transport);
  // The client validates results once it knows the output schemas.
  await client.listTools();
  return client;
}

class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #from: PassThrough;
  readonly #to: PassThrough;
  readonly #buffer = new ReadBuffer();

  constructor(from: PassThrough, to: PassThrough) {
    this.#from = from;
    this.#to = to;
  }

  async start(): Promise<void> {
    this.#from.on("data", (chunk: Buffer) => {
      this.#buffer.append(chunk);
      for (
        let message = this.#buffer.readMessage();
        message;
        message = this.#buffer.readMessage()
      ) {
        this.onmessage?.(message);
      }
    });
  }

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    this.#to.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#to.end();
    this.onclose?.();
  }
}
