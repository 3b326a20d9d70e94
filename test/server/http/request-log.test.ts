import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startMemoryServer } from "../../../src/app/start-memory-server.ts";
import { httpSettings, RequestLog } from "../../../src/server/http/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { openMemoryStore } from "../../support/memory-server.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it("appends requests without content to a private file", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-log-"));
  folders.push(dataDir);
  const requestLog = new RequestLog(dataDir, silentLogger);
  const store = openMemoryStore(dataDir);
  const server = await startMemoryServer({
    ...{ store, requestLog, version: "0.0.0", logger: silentLogger, announce: () => undefined },
    settings: httpSettings.parse({ port: 0, token: "the-token" }),
  });
  const send = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { headers: { "content-type": "application/json" }, ...init });
  const authorized = { authorization: "Bearer the-token", "content-type": "application/json" };
  await send("/api/v1/episodes", {
    ...{ method: "POST", headers: authorized },
    body: JSON.stringify({ content: "a private thought" }),
  });
  const file = join(dataDir, "logs", "requests.jsonl");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("POST");
  renameSync(file, `${file}.1`);
  await send("/api/v1/episodes/ep:1", { headers: { authorization: "Bearer guessed-secret" } });
  await server.close(0);
  await store.close();
  const [first, second] = [`${file}.1`, file].map((path) => readFileSync(path, "utf8"));
  expect(JSON.parse(first ?? "")).toMatchObject({
    ...{ method: "POST", route: "/api/v1/episodes", status: 200, operation: "remember" },
    ...{ by: "server", database: "default" },
  });
  expect(JSON.parse(second ?? "")).toMatchObject({ method: "GET", status: 401, by: "nobody" });
  expect(`${first}${second}`).not.toMatch(/private|secret|the-token/);
  expect(statSync(file).mode & 0o077).toBe(0);
});
