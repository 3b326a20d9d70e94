import { isAbsolute, relative } from "node:path";
import type { Readable } from "node:stream";
import { checkDriver } from "../database/index.ts";
import type { McpInterface, McpToolSet } from "../server/mcp/index.ts";
import { type AppOptions, createApp, readSettings } from "./assemble-app.ts";
import { queueProject, scheduleQueuedWork } from "./run-queued-work.ts";

export interface ServeMcpOptions extends AppOptions {
  readonly interface: McpInterface;
  readonly tools: McpToolSet;
  readonly structured: boolean;
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
}

export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const [
    { installSignalHandlers, TRANSFER_LIMITS },
    { randomIds },
    { createMcpServer, serveStdio },
  ] = await Promise.all([
    import("../server/http/index.ts"),
    import("../shared/ids.ts"),
    import("../server/mcp/index.ts"),
  ]);
  checkDriver();
  const app = createApp({ ...options, isServer: true, sharesModel: true });
  const { logger, store } = app;
  const { session } = app.config.settings;
  const stopping = new AbortController();
  try {
    const server = createMcpServer({
      store,
      db: undefined,
      interface: options.interface,
      tools: options.tools,
      structured: options.structured,
      databaseOf: (roots) => databaseOfRoots(options, roots),
      session: session ?? randomIds.next("mcp-"),
      version: options.version,
      logger,
    });
    const serving = serveStdio(server, {
      stdin: options.stdin,
      stdout: options.stdout,
      logger,
      messageBytes: TRANSFER_LIMITS.bodyBytes,
      signal: stopping.signal,
    });
    const working = queueProject(app).then(() => scheduleQueuedWork(app));
    const uninstall = installSignalHandlers({
      logger,
      async onStop() {
        stopping.abort();
        await serving;
        await working;
        await app.close();
      },
    });
    await serving;
    await working;
    uninstall();
  } finally {
    await app.close();
  }
}

/**
 * Selects the database of the client's first root, if none was named and the process started
 * outside all roots: clients with a global config start servers in the home folder.
 */
function databaseOfRoots(options: AppOptions, roots: readonly string[]): string | undefined {
  const { cwd, env, flags } = options;
  const [root] = roots;
  const isNamed = flags?.db !== undefined || (env.CAIRN_DB ?? "") !== "";
  if (root === undefined || isNamed || roots.some((folder) => isWithin(cwd, folder)))
    return undefined;
  return readSettings({ ...options, cwd: root }).config.database.name;
}

function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below === "" || !(below.startsWith("..") || isAbsolute(below));
}
