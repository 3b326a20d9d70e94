import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { HTTP_STATUS, startHttpServer } from "../../../src/server/http/index.ts";
import { ERROR_CODES } from "../../../src/shared/errors.ts";
import { isConnectionRefused } from "../../support/is-connection-refused.ts";
import { waitUntil } from "../../support/wait-until.ts";

const app = { fetch: () => new Response("ok") };
const base = { app, host: "127.0.0.1", port: 0, needsToken: false, command: "serve" };

it("every error code has its status", () => {
  expect(ERROR_CODES.map((code) => `${code} ${HTTP_STATUS[code]}`)).toEqual([
    "invalid_input 400",
    "unauthorized 401",
    "forbidden 403",
    "not_found 404",
    "method_not_allowed 405",
    "conflict 409",
    "too_large 413",
    "unsupported_media_type 415",
    "changeset_failed 400",
    "busy 503",
    "unavailable 503",
    "storage_full 507",
    "internal 500",
  ]);
});

describe("the start", () => {
  it.each([
    ["127.0.0.1", /^cairn serve listening on http:\/\/127\.0\.0\.1:\d+$/],
    ["::1", /^cairn serve listening on http:\/\/\[::1\]:\d+$/],
    ["localhost", /^cairn serve listening on http:\/\/localhost:\d+$/],
  ])("on %s prints a reachable URL", async (host, line) => {
    const lines: string[] = [];
    const server = await startHttpServer({ ...base, host, announce: (text) => lines.push(text) });
    onTestFinished(() => server.close(0));
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(await (await fetch(server.url)).text()).toBe("ok");
  });

  it("on a port in use reports the flag and prints no URL", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const announce = () => expect.unreachable();
    const start = startHttpServer({ ...base, port, announce, portFlag: "--ui-port" });
    await expect(start).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(new RegExp(`^Port ${port} on .* in use.*--ui-port`)),
    });
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "example.test", "127.1"])(
    "on %s without a token is rejected with a fix",
    async (host) => {
      await expect(startHttpServer({ ...base, host })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/--token.*CAIRN_TOKEN/),
      });
    },
  );

  it("on all addresses with a token works", async () => {
    const server = await startHttpServer({
      ...base,
      host: "0.0.0.0",
      needsToken: true,
      announce: () => undefined,
    });
    onTestFinished(() => server.close(0));
    expect(server.port).toBeGreaterThan(0);
  });

  it("on a foreign address is one clear error", async () => {
    const start = startHttpServer({ ...base, host: "192.0.2.1", needsToken: true });
    await expect(start).rejects.toMatchObject({
      code: "unavailable",
      message: "192.0.2.1 is not an address of this machine.",
    });
  });
});

describe("close", () => {
  it("finishes running requests", async () => {
    let answerIt: (() => void) | undefined;
    const slow = {
      fetch: () =>
        new Promise<Response>((resolve) => {
          answerIt = () => resolve(new Response("done"));
        }),
    };
    const server = await startHttpServer({ ...base, app: slow, announce: () => undefined });
    const answer = fetch(server.url);
    await waitUntil(() => answerIt !== undefined);
    const closed = server.close();
    await waitUntil(() => isConnectionRefused(server.url));
    answerIt?.();
    await closed;
    expect(await (await answer).text()).toBe("done");
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("serves one more request per open connection and accepts no new ones", async () => {
    const server = await startHttpServer({ ...base, announce: () => undefined });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = () =>
      new Promise<[connection: string | undefined, isReused: boolean]>((resolve, reject) => {
        const asked = request(server.url, { agent }, (answer) => {
          answer
            .resume()
            .once("end", () => resolve([answer.headers.connection, asked.reusedSocket]));
        });
        asked.once("error", reject).end();
      });
    expect(await ask()).toEqual(["keep-alive", false]);
    const closed = server.close();
    expect(await ask()).toEqual(["close", true]);
    await expect(ask()).rejects.toThrow("ECONNREFUSED");
    await closed;
  });

  it("aborts requests that exceed the grace period", async () => {
    let isAsked = false;
    const hanging = {
      fetch: () => {
        isAsked = true;
        return new Promise<Response>(() => undefined);
      },
    };
    const server = await startHttpServer({ ...base, app: hanging, announce: () => undefined });
    const answer = fetch(server.url);
    const failure = expect(answer).rejects.toThrow();
    await expect.poll(() => isAsked).toBe(true);
    const started = performance.now();
    await server.close(100);
    expect(performance.now() - started).toBeLessThan(3_000);
    await failure;
  });
});

describe("signals", () => {
  const program = (onStop: string) => `
    import { installSignalHandlers } from "./src/server/http/index.ts";
    import { stderrLogger } from "./src/shared/logger.ts";
    installSignalHandlers({ onStop: ${onStop}, logger: stderrLogger() });
    setInterval(() => {}, 1000);
    console.log("ready");`;

  async function start(onStop: string) {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", program(onStop)],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    return child;
  }

  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s stops gracefully with exit code 0",
    async (signal) => {
      const child = await start(`async () => { console.log("stopping"); }`);
      const text = once(child.stdout, "data");
      child.kill(signal);
      expect(String(await text)).toBe("stopping\n");
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  it("a second one exits immediately", async () => {
    const child = await start(`() => { console.log("stopping"); return new Promise(() => {}); }`);
    const text = once(child.stdout, "data");
    child.kill("SIGTERM");
    await text;
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
  });

  it("a stop that hangs ends within five seconds, with code 1", { tags: ["long"] }, async () => {
    const child = await start("() => new Promise(() => {})");
    const started = performance.now();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("a failing stop reports the reason with code 1", async () => {
    const child = await start(`async () => { throw new Error("disk full"); }`);
    const text = once(child.stderr, "data");
    child.kill("SIGTERM");
    expect(String(await text)).toContain("disk full");
    expect(await once(child, "exit")).toEqual([1, null]);
  });
});
