import { appendFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { AuditLog } from "../../src/agent/audit/audit-log.ts";
import { auditFile } from "../../src/agent/index.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("lists what the agent did, escapes control characters and skips damaged lines", async () => {
  const folders = createCliFolders();
  expect((await runInProcess(folders, ["audit"])).stdout).toBe("0 of 0 entries\n");
  const file = auditFile(folders.dataDir, folders.project);
  const log = new AuditLog(file, systemClock);
  const call = { threadId: "thread-1", tool: "shell", network: true, keys: false } as const;
  const reason = "it reaches the network";
  await log.note({ ...call, subject: "npm ci", reason, outcome: "answered once", by: "page" });
  await log.note({ ...call, threadId: "b", subject: "ls\u001b", reason: "", outcome: "refused" });
  await appendFile(file, '{"at":"20');
  const result = await runInProcess(folders, ["audit"]);
  expect(result.stdout).toContain(
    " thread-1 answered once by page with network: shell npm ci (it reaches the network)\n",
  );
  expect(result.stdout).toContain("shell ls\\x1b\n2 of 2 entries; 1 damaged lines skipped\n");
  await log.note({ ...call, subject: "pwd", reason: "", outcome: "allowed" });
  const json = JSON.parse(
    (await runInProcess(folders, ["audit", "--json", "--thread", "thr"])).stdout,
  );
  expect(json).toMatchObject({ count: 3, skipped: 1 });
  expect(json.entries.map(({ subject }: { subject: string }) => subject)).toEqual([
    "npm ci",
    "pwd",
  ]);
});
