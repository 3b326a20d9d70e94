import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/memory/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { createTestMemory } from "../../support/test-memory.ts";

let server: MemoryServer;
beforeAll(async () => {
  server = await serveMemory();
});
afterAll(() => server.end());

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every route
  readonly body: any;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const answer = await response.json();
  if (response.ok) checkAnswer(method, path, answer);
  return { status: response.status, body: answer };
}

function checkAnswer(method: string, path: string, answer: unknown): void {
  const [address = ""] = path.split("?");
  const route = STORE_ROUTES.find(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(address),
  );
  if (route !== undefined) expect(route.output.parse(answer), route.id).toEqual(answer);
}

it("creates, copies, renames, deletes and restores databases, with counts", async () => {
  expect(await ask("POST", "/databases", { name: "shop" })).toMatchObject({ status: 200 });
  await ask("POST", "/episodes?db=shop", { content: "one" });
  await ask("POST", "/databases/shop/copy", { to: "before" });
  await ask("POST", "/databases/shop/rename", { to: "store" });
  await ask("POST", "/episodes?db=store", { content: "two" });
  const { body } = await ask("GET", "/databases");
  expect(body.databases).toMatchObject([
    { name: "before", counts: { episodes: 1, last_seq: 1 } },
    { name: "store", is_default: false, counts: { episodes: 2, open_conflicts: 0 } },
  ]);
  const deleted = await ask("DELETE", "/databases/before");
  expect((await ask("GET", "/bin")).body.databases).toEqual([deleted.body]);
  expect((await ask("GET", "/episodes?db=before")).status).toBe(404);
  await ask("POST", `/bin/${deleted.body.id}/restore`, {});
  expect((await ask("GET", "/episodes?db=before")).body.total).toBe(1);
});

it.each<[string, string, unknown, number]>([
  ["POST", "/databases", {}, 400],
  ["POST", "/databases", { name: "../x" }, 400],
  ["POST", "/databases", { name: "store" }, 409],
  ["POST", "/databases/none/rename", { to: "x" }, 404],
  ["POST", "/databases/none/copy", { to: "x" }, 404],
  ["POST", "/databases/..%2Fx/copy", { to: "x" }, 400],
  ["POST", "/databases/store/rename", { too: "x" }, 400],
  ["DELETE", "/databases/none", undefined, 404],
  ["GET", "/databases/none/export", undefined, 404],
  ["GET", "/databases/none/backup", undefined, 404],
  ["POST", "/databases/none/doctor", {}, 404],
  ["POST", "/bin/nothing/restore", {}, 404],
  ["GET", "/bin?page=1", undefined, 400],
  ["POST", "/import", { text: "" }, 400],
  ["POST", "/import", { text: "x", from: "nope" }, 400],
])("%s %s %j is refused", async (method, path, body, status) => {
  const before = readdirSync(server.dataDir);
  const answer = await ask(method, path, body);
  expect([answer.status, typeof answer.body.error.message]).toEqual([status, "string"]);
  expect(readdirSync(server.dataDir)).toEqual(before);
});

itOnSqlite("gives the whole database as an export and as a file that opens", async () => {
  const exported = await fetch(`${server.url}/api/v1/databases/store/export`);
  expect(exported.headers.get("content-disposition")).toContain("store.jsonl");
  expect((await exported.text()).split("\n").filter(Boolean).length).toBeGreaterThan(3);
  const backup = await fetch(`${server.url}/api/v1/databases/store/backup`);
  const folder = mkdtempSync(join(tmpdir(), "cairn-test-"));
  writeFileSync(join(folder, "default.db"), Buffer.from(await backup.arrayBuffer()));
  await using t = createTestMemory({ folder });
  expect((await t.call("list_episodes")).total).toBe(2);
});

it("streams progress of doctor and reindex, then the result", async () => {
  for (const work of ["doctor", "reindex"]) {
    const response = await fetch(`${server.url}/api/v1/databases/store/${work}`, {
      method: "POST",
      headers: { accept: "text/event-stream" },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = (await response.text()).split("\n\n").filter(Boolean);
    expect(events.at(-1)).toMatch(/^event: result\ndata: \{/);
  }
  expect((await ask("POST", "/databases/store/doctor", {})).body).toMatchObject({ ok: true });
});

it("imports another tool's memory after a dry run", async () => {
  const text = [
    { type: "entity", name: "Ada", entityType: "person", observations: ["Speaks Spanish"] },
  ]
    .map((record) => JSON.stringify(record))
    .join("\n");
  const dry = await ask("POST", "/import?db=brought", { text, dry_run: true });
  expect(dry.body).toMatchObject({ dry_run: true, source: "server-memory", added: 1 });
  expect(dry.body.changeset).toContain("Speaks Spanish");
  expect((await ask("GET", "/episodes?db=brought")).status).toBe(404);
  expect((await ask("POST", "/import?db=brought", { text })).body).toMatchObject({ added: 1 });
  expect((await ask("POST", "/import?db=brought", { text })).body).toMatchObject({ known: 1 });
});

it("returns at most one changeset for a dry run of a large import", async () => {
  const observations = Array.from({ length: DEFAULT_LIMITS.changesetOps + 3 }, (_, at) => `o${at}`);
  const text = JSON.stringify({ type: "entity", name: "Ada", entityType: "person", observations });
  const dry = await ask("POST", "/import?db=large", { from: "server-memory", text, dry_run: true });
  expect(dry.body).toMatchObject({ added: observations.length, left_out: 3 });
  const lines = String(dry.body.changeset).trimEnd().split("\n");
  expect(lines).toHaveLength(DEFAULT_LIMITS.changesetOps);
});
