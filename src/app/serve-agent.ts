import type { UiServer } from "../server/ui/index.ts";
import { messageOf } from "../shared/errors.ts";
import type { AppOptions } from "./assemble-app.ts";
import { openAgent } from "./open-agent.ts";
import { ownToken } from "./server-token.ts";

export async function serveAgent(options: AppOptions): Promise<never> {
  const [{ installSignalHandlers }, { startUiServer }, running, access] = await Promise.all([
    import("../server/http/index.ts"),
    import("../server/ui/index.ts"),
    import("./running-servers.ts"),
    import("../access/index.ts"),
  ]);
  const agent = await openAgent({ ...options, surface: "server" });
  const { logger } = agent;
  let server: UiServer | undefined;
  let forget: (() => void) | undefined;
  const close = () => {
    forget?.();
    return agent.close();
  };
  try {
    installSignalHandlers({
      logger,
      onStop: () => (server === undefined ? close() : server.close(close)),
    });
    const { settings, dataDir } = agent.config;
    const isForPrograms = settings.logFormat === "json";
    const announcement = isForPrograms && { announce: (line: string) => logger.info(line) };
    const { token, file } = await ownToken(settings.token, { dataDir, server: "ui-server" });
    const own = { ...settings, ...(token !== undefined && { token }) };
    server = await startUiServer({
      ...{ host: agent.host, settings: own, logger, ...announcement },
      holders: new access.ApproveHolders(
        new access.TokenHolders(agent.tokens, (error) => {
          logger.warn(`The use of a token could not be recorded: ${messageOf(error)}`);
        }),
      ),
      servers: () => running.runningServers(dataDir),
    });
    const { host } = agent;
    forget = running.recordRunning(dataDir, { url: server.url, hasPage: false, host, logger });
    if (file !== undefined && isForPrograms) logger.info(`The token is stored in ${file}`);
    else if (file !== undefined) {
      const url = server.url.replace(/^http/, "ws");
      process.stderr.write(
        `Clients connect to ${url}/ws?token=${token}\nThe token is stored in ${file}\n`,
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return new Promise<never>(() => undefined);
}
