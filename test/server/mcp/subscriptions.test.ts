import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, vi } from "vitest";
import { serveMemory } from "../../support/memory-server.ts";
import { httpClient, mcpClient } from "./mcp-client.ts";

function updatesOf(client: Client): string[] {
  const messages: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    messages.push(params.uri);
  });
  return messages;
}

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

it("notifies of changed resources for any writer", async () => {
  const { client, store } = await mcpClient();
  const messages = updatesOf(client);
  const memory = store.open();
  await memory.execute("remember", { content: "One", entities: "person:Ada" });
  for (const uri of ["memory://entity/person:Ada", "memory://conflicts", "memory://recent/1"]) {
    await client.subscribeResource({ uri });
  }
  await memory.execute("remember", { content: "Two", entities: "person:Bo" });
  await vi.waitFor(() => expect(messages).toEqual(["memory://recent/1"]), WAIT_OPTIONS);
  await memory.execute("remember", { content: "Three", entities: "person:Ada" });
  await vi.waitFor(
    () => expect(messages.slice(1)).toEqual(["memory://entity/person:Ada", "memory://recent/1"]),
    WAIT_OPTIONS,
  );
});

it("notifies of the first write to a new memory", async () => {
  const { client, store } = await mcpClient();
  const messages = updatesOf(client);
  await client.subscribeResource({ uri: "memory://stats" });
  await store.open().execute("remember", { content: "One" });
  await vi.waitFor(() => expect(messages).toEqual(["memory://stats"]), WAIT_OPTIONS);
});

it("stops notifying after unsubscribe", async () => {
  const { client, store } = await mcpClient();
  const messages = updatesOf(client);
  const memory = store.open();
  await client.subscribeResource({ uri: "memory://stats" });
  await client.subscribeResource({ uri: "memory://pending" });
  await client.unsubscribeResource({ uri: "memory://stats" });
  await memory.execute("remember", { content: "One" });
  await vi.waitFor(() => expect(messages).toEqual(["memory://pending"]), WAIT_OPTIONS);
  await client.unsubscribeResource({ uri: "memory://pending" });
  await client.subscribeResource({ uri: "memory://labels" });
  await memory.execute("remember", { content: "Two", labels: "area=shop" });
  await vi.waitFor(
    () => expect(messages).toEqual(["memory://pending", "memory://labels"]),
    WAIT_OPTIONS,
  );
});

it("rejects unknown resources and more than a hundred subscriptions", async () => {
  const { client } = await mcpClient();
  await expect(client.subscribeResource({ uri: "memory://nothing" })).rejects.toMatchObject({
    code: -32602,
  });
  for (let n = 1; n <= 100; n += 1) {
    await client.subscribeResource({ uri: `memory://recent/${n}` });
  }
  await expect(client.subscribeResource({ uri: "memory://stats" })).rejects.toThrow(/at most 100/);
});

it("notifies HTTP clients on their session stream", async () => {
  const server = await serveMemory();
  const { client } = await httpClient(`${server.url}/mcp`);
  const messages = updatesOf(client);
  await client.subscribeResource({ uri: "memory://stats" });
  // The client opens the notification stream some time after the session.
  await vi.waitFor(async () => {
    await client.callTool({ name: "remember", arguments: { content: "Again" } });
    expect(messages).toContain("memory://stats");
  }, WAIT_OPTIONS);
  await client.close();
  await server.end();
});
