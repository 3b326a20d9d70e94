import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ScriptedModel, startScriptedModel } from "../../test/support/scripted-model.ts";
import { UiClient } from "../../test/support/ui-client.ts";

/**
 * `npx tsx bench/agent/measure-agent.ts`: the server is a separate process. The model and the
 * clients share this process, so that both ends use one clock.
 */
const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
const model = await startScriptedModel();
const server = await startServer(model);
const rows: string[][] = [];
try {
  rows.push(...(await measureRequestLatency()));
  rows.push(...(await measureDeltaLatency()));
  for (const clients of [1, 10, 100]) rows.push(await measureThroughput(clients));
  rows.push(...(await measureIdleThreads()));
} finally {
  server.child.kill("SIGTERM");
  await model.close();
  await rm(folder, { recursive: true, force: true });
}
printTable(["metric", "value"], rows);

async function measureRequestLatency(): Promise<string[][]> {
  const client = await UiClient.connect(server.url);
  client.send("thread.create", { threadId: "latency" });
  const times: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const before = performance.now();
    client.send("message.user", { threadId: "latency", text: `message ${index}` });
    await model.waitForRequests(model.requests.length + 1);
    times.push((model.requests.at(-1)?.receivedAt ?? 0) - before);
    await waitUntilIdle(client, "latency", index + 1);
  }
  client.socket.close();
  return [
    ["first message.user → model request", formatMilliseconds(times[0] ?? 0)],
    ["message.user → model request, p50", formatMilliseconds(percentile(times.slice(1), 50))],
    ["message.user → model request, p95", formatMilliseconds(percentile(times.slice(1), 95))],
  ];
}

async function measureDeltaLatency(): Promise<string[][]> {
  const client = await UiClient.connect(server.url);
  client.send("thread.create", { threadId: "delta" });
  const times: number[] = [];
  client.socket.on("message", (data) => {
    const { type, payload } = JSON.parse(String(data));
    if (type === "assistant.delta" && payload.threadId === "delta") {
      times.push(performance.now() - Number(payload.text));
    }
  });
  const stamps = Array.from({ length: 300 }, () => () => `${performance.now()} `);
  model.script({ text: stamps, chunkDelayMs: 5 });
  client.send("message.user", { threadId: "delta", text: "stream" });
  await waitUntilIdle(client, "delta", 1);
  client.socket.close();
  return [
    ["model chunk → assistant.delta on the socket, p50", formatMilliseconds(percentile(times, 50))],
    ["model chunk → assistant.delta on the socket, p95", formatMilliseconds(percentile(times, 95))],
  ];
}

async function measureThroughput(count: number): Promise<string[]> {
  const threadId = `throughput-${count}`;
  const events = count === 100 ? 1_000 : 5_000;
  const clients: UiClient[] = [];
  for (let index = 0; index < count; index += 1) clients.push(await UiClient.connect(server.url));
  await delay(300);
  const first = clients[0] as UiClient;
  first.send("thread.create", { threadId });
  let begun = 0;
  model.script({
    text: Array.from({ length: events }, (_, index) => () => {
      begun ||= performance.now();
      return `word${index} `;
    }),
  });
  first.send("message.user", { threadId, text: "stream" });
  await Promise.all(clients.map((client) => waitUntilIdle(client, threadId, 1)));
  const seconds = (performance.now() - begun) / 1000;
  for (const client of clients) client.socket.close();
  await delay(100);
  const perSecond = Math.round(events / seconds);
  const delivered = Math.round((events * count) / seconds);
  return [`events a second to ${count} client(s)`, `${perSecond} (${delivered} deliveries/s)`];
}

async function measureIdleThreads(): Promise<string[][]> {
  const client = await UiClient.connect(server.url);
  await delay(500);
  const before = await readResidentMegabytes();
  for (let index = 0; index < 100; index += 1) {
    client.send("thread.create", { threadId: `idle-${index}` });
    client.send("message.user", { threadId: `idle-${index}`, text: "hello" });
    await waitUntilIdle(client, `idle-${index}`, 1);
  }
  await delay(500);
  const after = await readResidentMegabytes();
  client.socket.close();
  return [
    ["resident memory before", `${before.toFixed(0)} MB`],
    ["100 idle threads add", `${(after - before).toFixed(1)} MB`],
  ];
}

async function waitUntilIdle(client: UiClient, threadId: string, count: number): Promise<void> {
  let seen = 0;
  let from = 0;
  const isIdle = (message: UiClient["received"][number]) =>
    message.type === "status" &&
    message.payload.phase === "idle" &&
    message.payload.threadId === threadId;
  for (;;) {
    seen = client.received.filter(isIdle).length;
    if (seen >= count) return;
    from = client.received.length;
    await client.waitFor(isIdle, { from, timeoutMs: 60_000 });
  }
}

async function startServer(scripted: ScriptedModel): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [
      "--import",
      import.meta.resolve("tsx"),
      join(import.meta.dirname, "../../src/cli/main.ts"),
      "ui-server",
      "--ui-port",
      "0",
    ],
    {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
      env: {
        ...process.env,
        CAIRN_PROVIDER: "openai-compatible",
        CAIRN_MODEL: "scripted",
        CAIRN_BASE_URL: scripted.baseUrl,
        CAIRN_DATA_DIR: join(folder, "data"),
        XDG_CONFIG_HOME: join(folder, "config"),
      },
    },
  );
  return new Promise((resolve, reject) => {
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve({ url, child });
    });
    child.once("exit", () => reject(new Error(`the server ended: ${output}`)));
  });
}

async function readResidentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

function formatMilliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function printTable(head: readonly string[], body: readonly (readonly string[])[]): void {
  const width = Math.max(...body.map(([name = ""]) => name.length), head[0]?.length ?? 0);
  for (const [name = "", value = ""] of [head, ...body]) {
    process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
  }
}
