import type { Readable } from "node:stream";
import { checkDriver } from "../database/index.ts";
import type { McpInterface, McpToolSet } from "../server/mcp/index.ts";
import type { AppOptions } from "./assemble-app.ts";
import { createApp } from "./create-app.ts";
import { doQueuedWorkLater, queueProject } from "./do-queued-work.ts";

export interface ServeMcpOptions extends AppOptions {
  readonly interface: McpInterface;
  readonly tools: McpToolSet;
  /** Structured content beside the text, and output schemas. */
  readonly structured: boolean;
  /** Of the product. */
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
}

/** Serves the memory to one MCP client over two streams; resolves when the client is gone. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const [{ installSignalHandlers }, { randomIds }, { createMcpServer, serveStdio }] =
    await Promise.all([
      import("../server/http/index.ts"),
      import("../shared/ids.ts"),
      import("../server/mcp/index.ts"),
    ]);
  // A client that is told "connected" would learn of it with every call.
  checkDriver();
  const app = createApp({ ...options, livesOn: true, sharesModel: true });
  const { logger, store } = app;
  const { session, limits } = app.config.settings;
  const stopping = new AbortController();
  try {
    const server = createMcpServer({
      store,
      db: undefined,
      interface: options.interface,
      tools: options.tools,
      structured: options.structured,
      session: session ?? randomIds.next("mcp-"),
      version: options.version,
      logger,
    });
    const served = serveStdio(server, {
      stdin: options.stdin,
      stdout: options.stdout,
      logger,
      messageBytes: limits.bodyBytes,
      signal: stopping.signal,
    });
    const working = queueProject(app).then(() => doQueuedWorkLater(app));
    const uninstall = installSignalHandlers({
      logger,
      async onStop() {
        stopping.abort();
        await served;
        await working;
        await app.close();
      },
    });
    await served;
    await working;
    uninstall();
  } finally {
    await app.close();
  }
}
