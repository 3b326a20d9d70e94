import type { AppOptions } from "./assemble-app.ts";
import { createApp } from "./create-app.ts";
import { doQueuedWorkLater } from "./do-queued-work.ts";
import { ownToken } from "./own-token.ts";

export interface ServeMemoryOptions extends AppOptions {
  /** Of the product. */
  readonly version: string;
  /** Is told the address once requests are answered. */
  readonly onListening?: (url: string) => Promise<void>;
}

/**
 * Serves the memory over REST and MCP until a signal ends the process; never resolves. Throws what
 * `startMemoryServer` throws.
 */
export async function serveMemory({
  version,
  onListening,
  ...options
}: ServeMemoryOptions): Promise<never> {
  const [{ installSignalHandlers }, { startMemoryServer }] = await Promise.all([
    import("../http/index.ts"),
    import("./start-memory-server.ts"),
  ]);
  const app = createApp({
    ...options,
    livesOn: true,
    heedsReadOnly: true,
    readsFromReplicas: true,
  });
  const { logger, store } = app;
  try {
    const { settings, dataDir } = app.config;
    const isForPrograms = settings.logFormat === "json";
    const { token, file } = await ownToken(settings.token, { dataDir, server: "serve" });
    const server = await startMemoryServer({
      store,
      settings: { ...settings, ...(token !== undefined && { token }) },
      version,
      logger,
      ofProcess: true,
      ...(isForPrograms && { announce: (line) => logger.info(line) }),
    });
    if (file !== undefined && isForPrograms) logger.info(`The token is kept in ${file}`);
    else if (file !== undefined) {
      process.stderr.write(
        `Clients send Authorization: Bearer ${token} to ${server.url}\nIt is kept in ${file}\n`,
      );
    }
    const working = store.isReadOnly ? undefined : doQueuedWorkLater(app);
    installSignalHandlers({
      logger,
      async onStop() {
        await server.close();
        await working;
        await app.close();
      },
    });
    await onListening?.(server.url);
  } catch (error) {
    await app.close();
    throw error;
  }
  return new Promise<never>(() => undefined);
}
