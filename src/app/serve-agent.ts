import type { UiServer } from "../ui-server/index.ts";
import type { AppOptions } from "./create-app.ts";
import { openAgent } from "./open-agent.ts";

/**
 * Serves the agent over WebSocket until a signal ends the process; never resolves. Throws what
 * `openAgent` and `startUiServer` throw.
 */
export async function serveAgent(options: AppOptions): Promise<never> {
  const [{ installSignalHandlers }, { startUiServer }] = await Promise.all([
    import("../http/index.ts"),
    import("../ui-server/index.ts"),
  ]);
  const agent = await openAgent({ ...options, surface: "server" });
  const { logger } = options;
  let server: UiServer | undefined;
  const close = () => agent.close();
  try {
    // Before the ready line: whoever waits for it may send a signal at once.
    installSignalHandlers({
      logger,
      onStop: () => (server === undefined ? close() : server.close(close)),
    });
    server = await startUiServer({ host: agent.host, settings: agent.config.settings, logger });
  } catch (error) {
    await close();
    throw error;
  }
  return new Promise<never>(() => undefined);
}
