import { onTestFinished } from "vitest";
import {
  createGuardedApp,
  createRequestGuard,
  type GuardOptions,
  readJsonBody,
  startHttpServer,
} from "../../../src/server/http/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";

export async function startGuardedApp(
  options: Partial<GuardOptions> & { bodyBytes?: number } = {},
) {
  const { bodyBytes = 1000, ...given } = options;
  const logged: string[] = [];
  const guard = createRequestGuard({ host: "127.0.0.1", ...given });
  const app = createGuardedApp({
    guard,
    bodyBytes,
    logger: { ...silentLogger, error: (message) => logged.push(message) },
  });
  app.get("/things", (c) => c.json({ things: [] }));
  app.post("/things", async (c) => c.json({ got: await readJsonBody(c) }));
  app.get("/fails", () => {
    throw new Error("secret detail");
  });
  const server = await startHttpServer({
    app,
    host: "127.0.0.1",
    port: 0,
    needsToken: given.token !== undefined,
    command: "test",
    announce: () => undefined,
  });
  onTestFinished(() => server.close(0));
  return { ...server, logged };
}
