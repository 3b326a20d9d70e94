import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AuditLog } from "../../src/agent/audit/audit-log.ts";
import { auditPlace } from "../../src/agent/index.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

it("shows what the agent did here, and tells and ends with 1 where the log was changed", async () => {
  const place = cliPlace();
  expect((await runInProcess(place, ["audit"])).stdout).toBe("Nothing is noted here yet.\n");
  const kept = auditPlace(place.dataDir, join(place.home, ".config/cairn"), place.project);
  const { file } = kept;
  const log = new AuditLog(kept, systemClock);
  const call = { threadId: "thread-1", tool: "shell", network: true, keys: false } as const;
  await log.note({
    ...call,
    subject: "npm ci",
    reason: "it reaches the network",
    outcome: "answered once",
    by: "page",
  });
  await log.note({
    ...call,
    threadId: "other",
    subject: "ls\u001b",
    reason: "",
    outcome: "refused",
  });
  const shown = await runInProcess(place, ["audit"]);
  expect(shown.stdout).toContain(
    " thread-1 answered once by page with network: shell npm ci (it reaches the network)\n",
  );
  expect(shown.stdout).toContain("shell ls\\x1b\n✓ 2 entries, and the chain holds.\n");
  expect(shown.code).toBe(0);
  const one = JSON.parse(
    (await runInProcess(place, ["audit", "--json", "--thread", "oth"])).stdout,
  );
  expect(one).toMatchObject({
    holds: true,
    problem: null,
    entries: [{ n: 2, outcome: "refused" }],
  });
  await writeFile(file, (await readFile(file, "utf8")).replace("npm ci", "npm i "));
  const changed = await runInProcess(place, ["audit"]);
  expect(changed.stdout).toContain("✗ 0 entries hold, and no more: Entry 1 was changed.");
  expect(changed.code).toBe(1);
  const checked = await runInProcess(place, ["audit", "--check"]);
  expect(checked.stdout).toBe("✗ 0 entries hold, and no more: Entry 1 was changed.\n");
  expect(checked.code).toBe(1);
  const told = JSON.parse((await runInProcess(place, ["audit", "--check", "--json"])).stdout);
  expect(told).toEqual({
    ...{ holds: false, count: 0, problem: "Entry 1 was changed.", brokenAt: 1, notice: null },
  });
});
