import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ThreadHost } from "../../src/agent/index.ts";
import { recordRunning, runningServers } from "../../src/app/running-servers.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { FakeThreadHost } from "../server/ui/fake-thread-host.ts";

function createFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-servers-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

function note(dataDir: string, host: ThreadHost, url = "http://127.0.0.1:7433") {
  const forget = recordRunning(dataDir, { url, hasPage: true, host, logger: silentLogger });
  onTestFinished(forget);
  return forget;
}

/** Writes the entry of another project's server. The test's parent process provides the pid. */
function noteOfOther(dataDir: string, fields: object): string {
  const file = join(dataDir, "servers", `${process.ppid}.json`);
  const whole = { url: "http://127.0.0.1:7500", cwd: "/b", hasPage: true, waiting: 2, ...fields };
  writeFileSync(file, JSON.stringify(whole), { mode: 0o600 });
  return file;
}

it("running servers are listed with pending questions and without secrets", async () => {
  const dataDir = createFolder();
  expect(runningServers(dataDir)).toEqual([]);
  const host = new FakeThreadHost();
  await host.create({ threadId: "a" });
  host.setInfo("a", { pendingPrompt: "Save it?" });
  const forget = note(dataDir, host);
  noteOfOther(dataDir, {});
  expect(runningServers(dataDir)).toEqual([
    { url: "http://127.0.0.1:7500", cwd: "/b", hasPage: true, waiting: 2, isThis: false },
    { url: "http://127.0.0.1:7433", cwd: "/project", hasPage: true, waiting: 1, isThis: true },
  ]);
  const folder = join(dataDir, "servers");
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
  forget();
  expect(runningServers(dataDir).map(({ cwd }) => cwd)).toEqual(["/b"]);
});

it("updates the number of pending questions", async () => {
  const dataDir = createFolder();
  const host = new FakeThreadHost();
  await host.create({ threadId: "a" });
  note(dataDir, host);
  expect(runningServers(dataDir)[0]?.waiting).toBe(0);
  host.setInfo("a", { pendingPrompt: "Save it?" });
  await expect.poll(() => runningServers(dataDir)[0]?.waiting, { timeout: 10_000 }).toBe(1);
});

it("ignores foreign, stale and invalid records", () => {
  const dataDir = createFolder();
  note(dataDir, new FakeThreadHost());
  const others = () => runningServers(dataDir).filter(({ isThis }) => !isThis);
  const file = noteOfOther(dataDir, {});
  expect(others()).toHaveLength(1);
  chmodSync(file, 0o644);
  expect(others()).toEqual([]);
  chmodSync(file, 0o600);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(file, anHourAgo, anHourAgo);
  expect(others()).toEqual([]);
  noteOfOther(dataDir, { url: "javascript:alert(1)" });
  expect(others()).toEqual([]);
  writeFileSync(file, "{", { mode: 0o600 });
  expect(others()).toEqual([]);
});
