import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createGuardedApp,
  createRequestGuard,
  startHttpServer,
  waitForDisconnect,
} from "../../../src/server/http/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { requestText } from "./raw-request.ts";

/** A server whose GET and POST /waits respond on demand or on disconnect. */
async function startWaitingServer() {
  const guard = createRequestGuard({ host: "127.0.0.1" });
  const app = createGuardedApp({ guard, bodyBytes: 1000, logger: silentLogger });
  const events = new EventEmitter<{ arrived: [AbortSignal]; answer: [] }>();
  const arrived = once(events, "arrived").then(([signal]) => signal as AbortSignal);
  const answered = once(events, "answer");
  app.on(["GET", "POST"], "/waits", async (c) => {
    const signal = waitForDisconnect(c);
    events.emit("arrived", signal);
    const gone = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([answered, gone]);
    return c.json({ aborted: signal.aborted });
  });
  const server = await startHttpServer({
    ...{ app, host: "127.0.0.1", port: 0, needsToken: false, command: "test" },
    announce: () => undefined,
  });
  onTestFinished(() => server.close(0));
  return { ...server, arrived, answer: () => events.emit("answer") };
}

describe("the signal of a request", () => {
  it.each(["GET", "POST"])("is aborted when the client of a %s disconnects", async (method) => {
    const { port, arrived } = await startWaitingServer();
    const headers = { Host: "localhost", "Content-Type": "application/json" };
    const body = method === "POST" ? "{}" : "";
    const length = { "Content-Length": String(body.length) };
    const socket = connect(port, "127.0.0.1");
    socket.write(requestText({ method, path: "/waits", headers: { ...headers, ...length }, body }));
    const signal = await arrived;
    expect(signal.aborted).toBe(false);
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    socket.destroy();
    await aborted;
    expect(signal.aborted).toBe(true);
  });

  it("is not aborted by a complete response", async () => {
    const { url, arrived, answer } = await startWaitingServer();
    const response = fetch(`${url}/waits`);
    const signal = await arrived;
    answer();
    expect(await (await response).json()).toEqual({ aborted: false });
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.aborted).toBe(false);
  });
});
