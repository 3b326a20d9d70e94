import type { HttpServer } from "../server/http/index.ts";
import { messageOf } from "../shared/errors.ts";
import type { App, AppOptions } from "./assemble-app.ts";
import { createApp } from "./assemble-app.ts";
import type { OpenAgent } from "./open-agent.ts";
import type { PageAgent } from "./page-agent.ts";
import { scheduleQueuedWork } from "./run-queued-work.ts";
import { ownToken } from "./server-token.ts";

export interface ServeMemoryOptions extends AppOptions {
  readonly version: string;
  readonly withAgent?: boolean;
  /** Receives the URL and the secret that admits a page to the agent. */
  readonly onListening?: (url: string, link: string | undefined) => Promise<void>;
}

export async function serveMemory({
  version,
  onListening,
  withAgent = false,
  ...options
}: ServeMemoryOptions): Promise<never> {
  const [{ installSignalHandlers, readTls, RequestLog }, { startMemoryServer }, { openIdentity }] =
    await Promise.all([
      import("../server/http/index.ts"),
      import("./start-memory-server.ts"),
      import("./open-identity.ts"),
    ]);
  const app = createApp({
    ...options,
    isServer: true,
    respectsReadOnly: true,
  });
  const { logger, store } = app;
  let agent: AgentOfServer | undefined;
  let forget: (() => void) | undefined;
  try {
    const { settings, dataDir } = app.config;
    const isForPrograms = settings.logFormat === "json";
    const { token, file } = await ownToken(settings.token, { dataDir, server: "serve" });
    if (withAgent && !store.isReadOnly) agent = await openAgentOnPage(app, options);
    const server = await startMemoryServer({
      store,
      identity: openIdentity(app),
      settings: { ...settings, ...(token !== undefined && { token }) },
      version,
      logger,
      requestLog: settings.logRequests ? new RequestLog(dataDir, logger) : undefined,
      ofProcess: true,
      // The certificate does not name the loopback host.
      ...(agent !== undefined ? { agent: agent.onPage } : { tls: readTls(settings) }),
      ...(isForPrograms && { announce: (line) => logger.info(line) }),
    });
    if (file !== undefined && isForPrograms) logger.info(`The token is stored in ${file}`);
    else if (file !== undefined) {
      process.stderr.write(
        `Clients send Authorization: Bearer ${token} to ${server.url}\nThe token is stored in ${file}\n`,
      );
    }
    forget = agent?.note(server.url);
    const working = store.isReadOnly || agent !== undefined ? undefined : scheduleQueuedWork(app);
    installSignalHandlers({
      logger,
      async onStop() {
        forget?.();
        await closeServer(server, agent);
        await working;
        await app.close();
      },
    });
    await onListening?.(server.url, agent?.onPage.makeLink());
  } catch (error) {
    forget?.();
    await agent?.runner.close();
    await app.close();
    throw error;
  }
  return new Promise<never>(() => undefined);
}

interface AgentOfServer {
  readonly runner: OpenAgent;
  readonly onPage: PageAgent;
  /** Registers the server for the user's other commands. Returns a function that unregisters it. */
  note(url: string): () => void;
}

async function openAgentOnPage(app: App, { env }: Pick<AppOptions, "env">): Promise<AgentOfServer> {
  const [
    { openAgentWithApp: openAgentOn },
    { addAgentRoutes },
    { createSecret: makeSecret, recordAgent: noteAgent },
    running,
    { TokenHolders },
  ] = await Promise.all([
    import("./open-agent.ts"),
    import("./page-agent.ts"),
    import("./running-agents.ts"),
    import("./running-servers.ts"),
    import("../access/index.ts"),
  ]);
  const { settings, dataDir } = app.config;
  const { logger } = app;
  const { token = "" } = await ownToken("auto", { dataDir, server: "agent" });
  const runner = await openAgentOn(app, { surface: "server", env });
  const { host } = runner;
  const secret = makeSecret();
  const holders = new TokenHolders(app.store.tokens, (error) => {
    logger.warn(`The use of a token could not be recorded: ${messageOf(error)}`);
  });
  const onPage = addAgentRoutes({
    ...{ host, token, secret, settings, logger, holders },
    servers: () => running.runningServers(dataDir),
  });
  const recordServer = (url: string) => {
    const forget = [
      noteAgent(dataDir, { url, cwd: host.info.cwd, secret }),
      running.recordRunning(dataDir, { url, hasPage: true, host, logger }),
    ];
    return () => {
      for (const one of forget) one();
    };
  };
  return { runner, onPage, note: recordServer };
}

/** Closes the agent first, so that its clients receive the end of their runs. */
async function closeServer(server: HttpServer, agent: AgentOfServer | undefined): Promise<void> {
  await agent?.onPage.gateway.close(() => agent.runner.close());
  await server.close();
}
