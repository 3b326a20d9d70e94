import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryServer, memoryServer } from "../support/memory-server.ts";

let server: MemoryServer;

beforeAll(async () => {
  server = await memoryServer();
});
afterAll(() => server.end());

it("health answers between the turns of one large write", { timeout: 120_000 }, async () => {
  const ops = Array.from({ length: 5000 }, (_, n) => ({
    op: "remember",
    content: `Note ${n}`,
    entities: [`file:f${n % 50}`],
  }));
  const changeset = JSON.stringify(ops);
  const order: string[] = [];
  const written = server.store
    .open(undefined)
    .execute("apply", { changeset })
    .then(() => order.push("written"));
  while (!order.includes("written")) {
    const response = await fetch(`${server.url}/health`);
    expect(await response.json()).toMatchObject({ ok: true });
    order.push("health");
  }
  await written;
  // Each slice of the write lets others in: were it one piece, not one would come before its end.
  expect(order.indexOf("written")).toBeGreaterThanOrEqual(8);
});
