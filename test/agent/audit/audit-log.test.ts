import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AuditedCall } from "../../../src/agent/audit/audit-entry.ts";
import { AuditLog } from "../../../src/agent/audit/audit-log.ts";
import { readAudit } from "../../../src/agent/audit/read-audit.ts";
import { systemClock } from "../../../src/kernel/clock.ts";

const call = (subject: string): AuditedCall => ({
  threadId: "t",
  tool: "shell",
  subject,
  reason: "",
  outcome: "allowed",
  network: false,
  keys: false,
});

async function start(...subjects: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-audit-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "audit/one.jsonl");
  const log = new AuditLog(file, systemClock);
  for (const subject of subjects) await log.note(call(subject));
  const lines = async () => (await readFile(file, "utf8")).trimEnd().split("\n");
  return { file, log, lines };
}

it("holds what was noted, in order, by several writers at once, with secrets masked", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const { file, log } = await start("one", `curl -H 'Authorization: Bearer ${token}' x`);
  const other = new AuditLog(file, systemClock);
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? log : other).note(call(`n${at}`))),
  );
  const { entries, problem } = await readAudit(file);
  expect(problem).toBeUndefined();
  expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: 22 }, (_, at) => at + 1));
  expect(await readFile(file, "utf8")).not.toContain(token);
  expect(entries[1]?.subject).toContain("[masked:");
});

it("tells which entry was changed, taken out, put in, cut off or written anew", async () => {
  const { file, lines } = await start("one", "two", "three");
  const written = await lines();
  const check = async (changed: readonly string[]) => {
    await writeFile(file, changed.map((line) => `${line}\n`).join(""));
    return (await readAudit(file)).problem;
  };
  const [one = "", two = "", three = ""] = written;
  expect(await check(written)).toBeUndefined();
  expect(await check([one, two.replace("two", "zwo"), three])).toBe("Entry 2 was changed.");
  expect(await check([one, three])).toBe("Entry 2 is missing.");
  expect(await check([one, two, two, three])).toBe("Entry 3 is missing.");
  expect(await check([one, two])).toBe("Entries 3 to 3 were cut off.");
  expect(await check([])).toBe("Entries 1 to 3 were cut off.");
  expect(await check([one, "{}", three])).toBe("Entry 2 cannot be read.");
  const anew = await start("ein", "zwei", "drei");
  expect(await check(await anew.lines())).toBe("Entry 3 is not the one that was written.");
  await rm(`${file}.head`);
  expect(await check(written)).toBe("Its head is missing.");
});

it("goes on behind a line that a machine left half, and refuses to go on behind a broken one", async () => {
  const { file, log } = await start("one");
  await appendFile(file, '{"n":2,"at":"20');
  await log.note(call("two"));
  expect((await readAudit(file)).problem).toBeUndefined();
  await appendFile(file, "broken\n");
  await expect(log.note(call("three"))).rejects.toThrowError();
});

it("an empty log holds", async () => {
  const { file } = await start();
  expect(await readAudit(file)).toEqual({ entries: [], problem: undefined });
});
