import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { MessageOutput } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { smallServer } from "../support/small-mcp-server.mjs";
import { type Harness, type HarnessOptions, startHarness } from "../support/thread-harness.ts";

const SERVER = join(import.meta.dirname, "..", "support", "small-mcp-server.mjs");
const allow = [{ tool: "mcp__small__*", action: "allow" }];
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the configuration.
const small = { command: process.execPath, args: [SERVER], env: { OWN: "${GIVEN:-fallback}" } };

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function start(
  mcpServers: object,
  { rules = allow as object[], ...options }: HarnessOptions & { rules?: object[] } = {},
): Promise<Harness> {
  const settings = agentSettings.parse({ sandbox: false, permission: { rules }, mcpServers });
  harness = await startHarness({ ...options, settings });
  return harness;
}

async function runImmediate({ host }: Harness, text: string): Promise<string> {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const dialogue: MessageOutput = { info: tell, success: tell, print: tell, error: tell };
  await host.runImmediate(text, {
    dialogue,
    threadId: undefined,
    sessions: { resume: async () => undefined, pick: () => undefined },
  });
  return lines.join("\n");
}

/** A turn does not wait long for a server, so wait for all of them first. */
async function waitUntilReady({ host }: Harness): Promise<void> {
  const isReady = () => host.mcpServers.list().every(({ state }) => state === "ready");
  await vi.waitFor(() => expect(isReady()).toBe(true), { timeout: 30_000 });
}

const call = (name: string, args: object = {}) => ({ toolCalls: [{ name, args }] });
const says = (text: string) => ({ text });
const resultOf = (one: Harness, name: string) =>
  one.events.filter((event) => event.type === "tool.result" && event.name === name);

it("offers a server's tools to the model and hands its results back", async () => {
  const one = await start(
    { small },
    {
      answers: [call("mcp__small__add", { a: 2, b: 3 }), call("mcp__small__who"), says("done")],
      environment: { ...process.env, OPENAI_API_KEY: "secret" },
    },
  );
  await waitUntilReady(one);
  await one.say("add");
  const offered = one.model.requests[0]?.body.tools?.find(
    (tool) => tool.function.name === "mcp__small__add",
  );
  expect(offered?.function).toMatchObject({
    description: "Adds two numbers.",
    parameters: { properties: { a: { type: "number" } } },
  });
  expect(resultOf(one, "mcp__small__add")[0]).toMatchObject({ summary: "sum 5" });
  expect(JSON.stringify(resultOf(one, "mcp__small__who"))).toContain("key none own fallback");
});

it("prompts before it runs a server's tool, and names the call", async () => {
  const one = await start(
    { small },
    { rules: [], answers: [call("mcp__small__add", { a: 2, b: 3 }), says("done")] },
  );
  const titles: string[] = [];
  one.host.permission.attach((notice) => {
    if (notice.type !== "permission.ask") return;
    titles.push(notice.question.title, ...notice.question.always);
    one.host.permission.answer("t", notice.question.questionId, { decision: "no" });
  });
  await waitUntilReady(one);
  await one.say("add");
  expect(titles).toEqual([
    'small: add {"a":2,"b":3}',
    expect.stringMatching(/^mcp__small__add as its server describes it now \([0-9a-f]{12}\)$/),
  ]);
  expect(resultOf(one, "mcp__small__add")[0]).toMatchObject({ isError: true });
});

it("includes a mentioned resource and runs a prompt as a command", async () => {
  const one = await start({ small }, { answers: [says("first"), says("second")] });
  await one.say("What is in @small:notes://today, please?");
  await one.say("/mcp__small__greet Ada Lovelace");
  const replies = one.model.requests.map(({ body }) => JSON.stringify(body.messages.at(-1)));
  expect(replies[0]).toContain("Buy flour.");
  expect(replies[0]).toContain('<resource server=\\"small\\" uri=\\"notes://today\\">');
  expect(replies[1]).toContain("Say good morning to Ada Lovelace.");
  expect(await runImmediate(one, "/help")).toContain("/mcp__small__greet <whom>");
});

it("starts even if servers fail, and /mcp shows the state of each", async () => {
  const hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  const { port } = hanging.address() as AddressInfo;
  const one = await start({
    missing: { command: "/no/such/server" },
    silent: { type: "http", url: `http://127.0.0.1:${port}/mcp?key=secret` },
    off: { ...small, disabled: true },
    memory: { command: "npx", args: ["-y", "cairn-memory", "mcp"] },
  });
  await vi.waitFor(
    async () => expect(await runImmediate(one, "/mcp")).toMatch(/missing: [○✗]/),
    30_000,
  );
  const text = await runImmediate(one, "/mcp");
  expect(text).toContain("not installed, or not in the PATH");
  expect(text).toContain("silent: … connecting");
  expect(text).not.toContain("secret");
  expect(text).toContain("off: - switched off");
  expect(text).toContain("memory: - not started: the memory is built in");
  expect(await runImmediate(one, "/mcp reconnect none")).toContain('There is no MCP server "none"');
  hanging.closeAllConnections();
  await one.host.close();
  await new Promise((resolve) => hanging.close(resolve));
});

it("reconnects after the server died, and the next call succeeds", {
  tags: ["long"],
}, async () => {
  const one = await start(
    { small },
    { answers: [call("mcp__small__end"), call("mcp__small__add", { a: 1, b: 1 }), says("done")] },
  );
  await one.say("end it, then add");
  expect(resultOf(one, "mcp__small__end")[0]).toMatchObject({ isError: true });
  expect(resultOf(one, "mcp__small__add")[0]).toMatchObject({ summary: "sum 2" });
  expect(await runImmediate(one, "/mcp")).toContain("small: ● ready");
});

it("fails only the call with a 100 MB response; the next call succeeds", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const answers = [
    call("mcp__small__flood"),
    call("mcp__small__add", { a: 1, b: 1 }),
    call("mcp__small__add", { a: 2, b: 2 }),
    says("done"),
  ];
  const http = createServer(async (request, response) => {
    const server = smallServer();
    const transport = new StreamableHTTPServerTransport(
      request.url === "/json" ? { enableJsonResponse: true } : {},
    );
    response.on("close", () => void server.close());
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const { port } = http.address() as AddressInfo;
  const overHttp = (path: string) => ({ type: "http", url: `http://127.0.0.1:${port}${path}` });
  for (const settings of [small, overHttp("/stream"), overHttp("/json")]) {
    const one = await start({ small: settings }, { answers });
    await waitUntilReady(one);
    await one.say("flood, then add");
    const [flood] = resultOf(one, "mcp__small__flood");
    expect(flood).toMatchObject({ isError: true, summary: expect.stringContaining("10 MiB") });
    const sums = resultOf(one, "mcp__small__add");
    expect(sums).toMatchObject([{ summary: "sum 2" }, { summary: "sum 4" }]);
    expect(one.host.mcpServers.list()).toMatchObject([{ state: "ready" }]);
    await one.close();
  }
});

it("speaks Streamable HTTP and sends the headers", async () => {
  const seen: (string | undefined)[] = [];
  const http = createServer(async (request, response) => {
    seen.push(request.headers.authorization);
    const server = smallServer();
    const transport = new StreamableHTTPServerTransport();
    response.on("close", () => void server.close());
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  try {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the configuration.
    const headers = { Authorization: "Bearer ${SMALL_KEY}" };
    const url = `http://127.0.0.1:${port}/mcp`;
    const one = await start(
      { small: { type: "http", url, headers } },
      {
        answers: [call("mcp__small__add", { a: 4, b: 4 }), says("done")],
        environment: { ...process.env, SMALL_KEY: "k1" },
      },
    );
    await waitUntilReady(one);
    await one.say("add");
    expect(resultOf(one, "mcp__small__add")[0]).toMatchObject({ summary: "sum 8" });
    expect(new Set(seen)).toEqual(new Set(["Bearer k1"]));
  } finally {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});
