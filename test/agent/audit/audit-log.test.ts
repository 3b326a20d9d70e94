import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { AuditedCall } from "../../../src/agent/audit/audit-entry.ts";
import { AuditLog, type AuditLogOptions } from "../../../src/agent/audit/audit-log.ts";
import { readAudit } from "../../../src/agent/audit/read-audit.ts";
import { earlierParts } from "../../../src/shared/chained-log/chain-place.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { patiently } from "../../support/patiently.ts";

const call = (subject: string): AuditedCall => ({
  threadId: "t",
  tool: "shell",
  subject,
  reason: "",
  outcome: "allowed",
  network: false,
  keys: false,
});

async function start(subjects: readonly string[] = [], options: AuditLogOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-audit-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "audit/one.jsonl");
  const place = { file, secondHead: join(folder, "config/audit-heads/one.json") };
  const log = new AuditLog(place, systemClock, options);
  for (const subject of subjects) await log.note(call(subject));
  const lines = async () => (await readFile(file, "utf8")).trimEnd().split("\n");
  return { folder, file, place, log, lines };
}

it("holds what was noted, in order, by several writers at once, with secrets masked", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const { place, file, log } = await start(["one", `curl -H 'Authorization: Bearer ${token}' x`]);
  const other = new AuditLog(place, systemClock);
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? log : other).note(call(`n${at}`))),
  );
  const { entries, problem } = await readAudit(place);
  expect(problem).toBeUndefined();
  expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: 22 }, (_, at) => at + 1));
  expect(await readFile(file, "utf8")).not.toContain(token);
  expect(entries[1]?.subject).toContain("[masked:");
});

it("tells which entry was changed, taken out, put in, cut off or written anew", async () => {
  const { place, file, lines } = await start(["one", "two", "three"]);
  const written = await lines();
  const check = async (changed: readonly string[]) => {
    await writeFile(file, changed.map((line) => `${line}\n`).join(""));
    return (await readAudit(place)).problem;
  };
  const [one = "", two = "", three = ""] = written;
  expect(await check(written)).toBeUndefined();
  expect(await check([one, two.replace("two", "zwo"), three])).toBe("Entry 2 was changed.");
  expect(await check([one, three])).toBe("Entry 2 is missing.");
  expect(await check([one, two, two, three])).toBe("Entry 3 is missing.");
  expect(await check([one, two])).toBe("Entries 3 to 3 were cut off.");
  expect(await check([])).toBe("Entries 1 to 3 were cut off.");
  expect(await check([one, "{}", three])).toBe("Entry 2 cannot be read.");
  const anew = await start(["ein", "zwei", "drei"]);
  expect(await check(await anew.lines())).toBe("Entry 3 is not the one that was written.");
  await rm(`${file}.head`);
  expect(await check([one, two])).toBe("Entries 3 to 3 were cut off.");
  await rm(place.secondHead);
  expect(await check(written)).toBe("Its head is missing.");
});

it("whatever lines are changed, removed, doubled, swapped or cut, the first broken place is named", async () => {
  const subjects = Array.from({ length: 6 }, (_, at) => `command ${at}`);
  const { place, file, lines } = await start(subjects);
  const written = await lines();
  const change = fc.oneof(
    fc.record({ how: fc.constant("flip"), at: fc.nat(5), byte: fc.nat(200), bit: fc.nat(6) }),
    fc.record({ how: fc.constantFrom("remove", "double", "cut"), at: fc.nat(5) }),
    fc.record({ how: fc.constant("swap"), at: fc.nat(4) }),
  );
  await fc.assert(
    fc.asyncProperty(change, async (made) => {
      const changed = [...written];
      const line = changed[made.at] ?? "";
      if (made.how === "remove") changed.splice(made.at, 1);
      if (made.how === "double") changed.splice(made.at, 0, line);
      if (made.how === "cut") changed.splice(made.at);
      if (made.how === "swap") changed.splice(made.at, 2, changed[made.at + 1] ?? "", line);
      if ("byte" in made) {
        const bytes = Buffer.from(line);
        const at = made.byte % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << made.bit);
        changed[made.at] = bytes.toString("latin1");
      }
      await writeFile(file, changed.map((one) => `${one}\n`).join(""));
      const { problem, brokenAt, entries } = await readAudit(place);
      // Doubled, the copy is the first that does not follow; all before it hold.
      const expected = made.how === "double" ? made.at + 2 : made.at + 1;
      expect(problem).toBeDefined();
      expect(brokenAt).toBe(expected);
      expect(entries).toHaveLength(expected - 1);
    }),
    { numRuns: 150 },
  );
});

it("a log that was removed, cut or exchanged is not begun anew as if nothing were missing", async () => {
  for (const tamper of ["removed", "cut", "exchanged"]) {
    const { place, file, log, lines } = await start(["one", "two", "three"]);
    if (tamper === "removed") await rm(file);
    if (tamper === "cut") await writeFile(file, `${(await lines())[0]}\n`);
    if (tamper === "exchanged") {
      const other = await start(["ein", "zwei", "drei"]);
      await writeFile(file, await readFile(other.file, "utf8"));
    }
    await log.note(call("later"));
    await log.note(call("later still"));
    const { problem, brokenAt } = await readAudit(place);
    expect([tamper, problem]).toEqual([
      tamper,
      {
        removed: "Entry 1 is missing.",
        cut: "Entry 2 is missing.",
        exchanged: "Entry 3, or one before it, is not the one that was written.",
      }[tamper],
    ]);
    expect(brokenAt).toBe({ removed: 1, cut: 2, exchanged: 4 }[tamper]);
    expect(await readFile(file, "utf8")).toContain('"subject":"later still"');
  }
});

it("a head that was put back does not hide what was cut off: the other one knows", async () => {
  const { place, file, log, lines } = await start(["one"]);
  const head = await readFile(`${file}.head`, "utf8");
  await log.note(call("two"));
  await writeFile(file, `${(await lines())[0]}\n`);
  await writeFile(`${file}.head`, head);
  expect((await readAudit(place)).problem).toBe("Entries 2 to 2 were cut off.");
});

it("tells of a line that a killed write left half, cuts it off and notes that it did", async () => {
  const { place, file, log } = await start(["one"]);
  await appendFile(file, '{"n":2,"at":"20');
  const torn = await readAudit(place);
  expect(torn.problem).toBeUndefined();
  expect(torn.notice).toContain("left half");
  await log.note(call("two"));
  const { problem, notice, entries } = await readAudit(place);
  expect([problem, notice]).toEqual([undefined, undefined]);
  expect(entries.map(({ outcome }) => outcome)).toEqual(["allowed", "healed", "allowed"]);
  expect(entries[1]?.subject).toBe("A line that was left half (15 bytes) was cut off.");
});

it("refuses to go on behind a broken last line, and says what to do", async () => {
  const { file, log } = await start(["one"]);
  await appendFile(file, "broken\n");
  await expect(log.note(call("three"))).rejects.toThrowError(/is no entry.*move the file away/);
});

it("goes on in further parts, and the chain goes through them", async () => {
  const subjects = Array.from({ length: 12 }, (_, at) => `command ${at}`);
  const { place, file } = await start(subjects, { partBytes: 700 });
  const parts = await earlierParts(place);
  expect(parts.length).toBeGreaterThan(2);
  const { entries, problem } = await readAudit(place);
  expect(problem).toBeUndefined();
  expect(entries.map(({ subject }) => subject)).toEqual(subjects);
  const last = entries.at(-1)?.n ?? 0;
  await rm(parts[1] ?? "");
  const gone = await readAudit(place);
  expect(gone.problem).toBe(`Entry ${gone.brokenAt} is missing.`);
  expect(gone.brokenAt).toBeLessThan(last);
  await rm(file);
});

it("programs that are killed while they write leave a chain that holds", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const { place, folder, log } = await start();
  const program = join(import.meta.dirname, "../support/note-until-killed.ts");
  for (let round = 0; round < 2; round += 1) {
    const children = ["a", "b"].map((name) =>
      spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(place), name], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    await Promise.all(
      children.map(
        (child) =>
          new Promise<void>((resolve, reject) => {
            let noted = 0;
            const timer = setTimeout(() => reject(new Error("nothing noted")), patiently(30_000));
            child.stdout.on("data", () => {
              noted += 1;
              if (noted < 5) return;
              clearTimeout(timer);
              child.kill("SIGKILL");
            });
            child.once("exit", () => resolve());
          }),
      ),
    );
  }
  await log.note(call("after"));
  const { problem, entries } = await readAudit(place);
  expect(problem).toBeUndefined();
  expect(entries.length).toBeGreaterThanOrEqual(20);
  expect(await readdir(join(folder, "audit"))).toContain("one.jsonl");
});

it("an empty log holds", async () => {
  const { place } = await start();
  expect(await readAudit(place)).toMatchObject({ entries: [], problem: undefined });
});
