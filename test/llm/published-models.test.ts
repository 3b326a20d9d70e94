import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { findPublished, readPublished } from "../../src/llm/cache/published-models.ts";
import { ServiceNotes } from "../../src/llm/cache/service-notes.ts";
import { createModelClient, llmSettings } from "../../src/llm/index.ts";
import type { ModelClientOptions } from "../../src/llm/model-client.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { startStrictMessages } from "./support/providers/index.ts";
import { startProxy } from "./support/proxy.ts";

const TABLE = {
  anthropic: {
    id: "anthropic",
    name: "Anthropic",
    api: "https://evil.example.test",
    env: ["X"],
    models: {
      "claude-opus-9": {
        id: "claude-opus-9",
        name: "Claude Opus 9",
        attachment: true,
        modalities: { input: ["text", "image"], output: ["text"] },
        cost: { input: 7, output: 35, cache_read: 0.7, cache_write: 8.75 },
        limit: { context: 2_000_000, output: 128_000 },
        provider: { api: "https://evil.example.test" },
        headers: { a: "b" },
      },
      "claude-opus-4-8": { cost: { input: 6, output: 26 }, limit: { context: 900_000 } },
      odd: { cost: { input: "much", output: 1 } },
      negative: { cost: { input: -1, output: 1 } },
    },
  },
};

async function startTable(body: () => string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(JSON.stringify(request.headers));
    response.end(body());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`, asked };
}

const notesFile = () => join(mkdtempSync(join(tmpdir(), "cairn-notes-")), "services.json");
const client = (file: string, settings: object, options: ModelClientOptions = {}) =>
  createModelClient(
    llmSettings.parse({ provider: "anthropic", apiKey: "k", maxRetries: 0, ...settings }),
    file,
    options,
  );

it("reads only context windows, prices and vision from the table", () => {
  const models = readPublished(JSON.stringify(TABLE), "anthropic");
  expect(models).toEqual({
    "claude-opus-9": {
      price: { input: 7, output: 35, cachedInput: 0.7, cacheWrite: 8.75 },
      window: 2_000_000,
      sees: true,
    },
    "claude-opus-4-8": { price: { input: 6, output: 26 }, window: 900_000 },
  });
  expect(JSON.stringify(models)).not.toContain("evil");
  expect(readPublished(JSON.stringify(TABLE), "__proto__")).toEqual({});
  expect(findPublished(models, "anthropic/Claude-Opus-9")).toMatchObject({ window: 2_000_000 });
  expect(() => readPublished("[]", "anthropic")).toThrow();
  expect(() => readPublished('{"anthropic":{}}', "anthropic")).toThrow();
});

it("refreshes daily through the proxy without key or headers", async () => {
  const file = notesFile();
  const table = await startTable(() => JSON.stringify(TABLE));
  const proxy = await startProxy();
  const modelDataUrl = table.url.replace("127.0.0.1", "models.example.test");
  const settings = { proxy: proxy.url, headers: { "x-own": "secret" } };
  const before = client(file, { ...settings, model: "claude-opus-9" }, { modelDataUrl });
  expect(before.price).toBeUndefined();
  expect(before.knownAt).toMatch(/^\d{4}-\d\d-\d\d$/);
  await before.prepare();
  await vi.waitFor(() =>
    expect(JSON.parse(readFileSync(file, "utf8")).anthropic.modelsAt).toBeDefined(),
  );
  expect(proxy.asked).toHaveLength(1);
  expect(table.asked.join()).not.toMatch(/secret|"k"|authorization|x-api-key/);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const after = client(file, { ...settings, model: "claude-opus-9" }, { modelDataUrl });
  expect(after.price).toMatchObject({ input: 7, cacheWrite: 8.75 });
  expect(after.seesImages).toBe(true);
  expect(await after.contextWindow(AbortSignal.timeout(5_000))).toBe(2_000_000);
  expect(after.knownAt).toMatch(/T/);
  await after.prepare();
  await new ServiceNotes(file, "anthropic").isOld;
  expect(table.asked).toHaveLength(1);
  const tomorrow = new ServiceNotes(file, "anthropic", () => Date.now() + 90_000_000);
  expect(tomorrow.isOld).toBe(true);
});

it("prefers the user's entries, then the table, then bundled data", async () => {
  const file = notesFile();
  new ServiceNotes(file, "anthropic").noteModels(readPublished(JSON.stringify(TABLE), "anthropic"));
  const bundledOver = client(file, { model: "claude-opus-4-8" });
  expect(bundledOver.price).toEqual({ input: 6, output: 26 });
  const own = { prices: { "claude-opus-4-8": { input: 1, output: 2 } }, contextWindow: 5_000 };
  const mine = client(file, { model: "claude-opus-4-8", vision: false, ...own });
  expect(mine.price).toEqual({ input: 1, output: 2 });
  expect(await mine.contextWindow(AbortSignal.timeout(5_000))).toBe(5_000);
  expect(mine.seesImages).toBe(false);
});

it.each([
  ["no table", () => "<html>"],
  ["one of another form", () => '{"anthropic": 3}'],
  ["one without the service", () => '{"other":{"models":{}}}'],
])("uses bundled data after %s and retries the next day", async (_name, body) => {
  const file = notesFile();
  const table = await startTable(body);
  const one = client(file, { model: "claude-opus-4-8" }, { modelDataUrl: table.url });
  await one.prepare();
  await vi.waitFor(() => expect(table.asked).toHaveLength(1));
  expect(client(file, { model: "claude-opus-4-8" }).price).toMatchObject({ input: 5 });
  await client(file, {}, { modelDataUrl: table.url }).prepare();
  expect(new ServiceNotes(file, "anthropic").isOld).toBe(false);
});

it("does not refresh if disabled, for custom services, or without storage", async () => {
  const table = await startTable(() => JSON.stringify(TABLE));
  const published = { modelDataUrl: table.url };
  await client(notesFile(), { modelData: "off" }, published).prepare();
  await client(notesFile(), { baseUrl: "http://127.0.0.1:9/v1" }, published).prepare();
  await client(notesFile(), { provider: "ollama" }, published).prepare();
  const settings = llmSettings.parse({ provider: "anthropic", apiKey: "k" });
  await createModelClient(settings, undefined, published).prepare();
  await waitFixedTime(200, "no event may follow");
  expect(table.asked).toEqual([]);
});

it("remembers rejected fields per service for a month", async () => {
  await using service = await startStrictMessages({ thinking: "adaptive", isGateway: true });
  const file = notesFile();
  const { baseUrl } = service;
  const notes = () => new ServiceNotes(file, `anthropic ${baseUrl}`);
  notes().noteRefused(["thinking"]);
  const one = client(file, { baseUrl, model: "claude-opus-4-8", effort: "high" });
  const request = { system: "SYSTEM", tools: [], signal: AbortSignal.timeout(60_000) };
  await one.answer({ ...request, messages: [{ role: "user", content: "Hello" }] });
  expect(service.seen[0]?.body.thinking).toBeUndefined();
  const later = Date.now() + 31 * 86_400_000;
  expect(new ServiceNotes(file, `anthropic ${baseUrl}`, () => later).refused).toEqual([]);
  expect(new ServiceNotes(file, "anthropic").refused).toEqual([]);
  writeFileSync(file, "broken");
  expect(notes().refused).toEqual([]);
});
