import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DurableQueue } from "../../src/shared/durable-queue.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const SECRET = "Our contact is Zanzibarina Quellwasser.";

async function run(place: CliFolders, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(place, args);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

interface Found {
  readonly kind: string;
  readonly file: string;
  readonly name?: string;
}

async function look(place: CliFolders, ...args: string[]) {
  const { code, stdout } = await runInProcess(place, ["purge", ...args, "--everywhere", "--json"]);
  const { found, unread } = JSON.parse(stdout) as { found: Found[]; unread: string[] };
  expect(unread).toEqual([]);
  const kinds = found.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`));
  return { code, found, kinds: kinds.sort() };
}

/** A memory whose only item appears in all data and files that cairn writes. */
async function createSpreadMemory() {
  const place = createCliFolders();
  const { project, dataDir } = place;
  await run(place, "remember", SECRET);
  await run(place, "db", "copy", "default", "second");
  await run(place, "db", "copy", "default", "doomed");
  await run(place, "db", "delete", "doomed");
  await run(place, "db", "backup", "default", "kept.db");
  await run(place, "export", "kept.jsonl");
  await run(place, "export", "--format", "markdown", "pages");
  await run(place, "export", "--format", "claude-md", "CLAUDE.md");
  const transcriptPath = join(project, "session.jsonl");
  writeFileSync(transcriptPath, `{"text":"${SECRET}"}\n`);
  const queue = new DurableQueue(join(dataDir, "queue"));
  queue.add("transcript", { transcriptPath });
  queue.add("captured", { text: SECRET });
  mkdirSync(join(dataDir, "threads"));
  writeFileSync(join(dataDir, "threads", "session.jsonl"), SECRET);
  return place;
}

describe("purge --verify --everywhere", () => {
  it("reports where texts remain until none do", async () => {
    const place = await createSpreadMemory();
    const { project, dataDir } = place;
    const first = await look(place, "ep:1", "--yes");
    expect(first.code).toBe(1);
    expect(first.kinds).toEqual([
      "backup",
      expect.stringMatching(/^bin doomed-\d{8}T\d{9}Z$/),
      "database second",
      "export",
      "export",
      "other",
      "queue",
      "transcript",
    ]);
    const told = await runInProcess(place, ["purge", "--verify", SECRET, "--everywhere"]);
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/^second\.db: at byte \d+; .*`cairn recall --db second`/m);
    expect(told.stdout).toMatch(/^bin.doomed-\S+: at byte \d+; .*`cairn db restore doomed-/m);
    expect(told.stdout).toContain(`${join(project, "kept.db")}: at byte`);

    await run(place, "purge", "ep:1", "--yes", "--db", "second");
    rmSync(join(dataDir, "bin"), { recursive: true });
    rmSync(join(dataDir, "queue"), { recursive: true });
    rmSync(join(dataDir, "threads"), { recursive: true });
    for (const file of ["kept.db", "kept.jsonl", "pages", "CLAUDE.md"]) {
      rmSync(join(project, file), { recursive: true, force: true });
    }
    expect(await run(place, "purge", "--verify", SECRET, "--everywhere")).toMatch(
      /^No bytes of it remain in the \d+ files that cairn stores or has written\.\n$/,
    );
  });

  it("includes deleted databases, copies, backups and exports", async () => {
    const place = await createSpreadMemory();
    await run(place, "db", "rename", "second", "renamed");
    const { kept_elsewhere: kept } = JSON.parse(
      await run(place, "purge", "ep:1", "--yes", "--json"),
    );
    expect(kept.join("\n")).toMatch(/A copy next to it may contain it: renamed\./);
    expect(kept.join("\n")).toMatch(/A backup where it was written may contain it: kept\.db\./);
    expect(kept.join("\n")).toMatch(/An export where it was written may contain it: /);
    expect(kept.join("\n")).not.toContain(place.project);

    const other = createCliFolders();
    await run(other, "remember", "One");
    await run(other, "db", "delete", "default");
    await run(other, "remember", "Two");
    expect(await run(other, "purge", "ep:1", "--yes")).toMatch(
      /Purged permanently: ep:1\.\nA deleted database in the bin may contain it: default-\d/,
    );
  });

  it("finds text in a database's write-ahead log", async () => {
    const place = createCliFolders();
    await run(place, "remember", "Something else");
    writeFileSync(join(place.dataDir, "default.db.left-wal-1"), `x${SECRET}`);
    const { kinds, found } = await look(place, "--verify", SECRET);
    expect({ kinds, found }).toEqual({
      kinds: ["database default"],
      found: [expect.objectContaining({ file: "default.db.left-wal-1", offset: 1 })],
    });
    expect(existsSync(place.dataDir) && readdirSync(place.dataDir)).toContain("default.db");
  });

  it("requires the text of items purged earlier", async () => {
    const place = createCliFolders();
    await run(place, "remember", "Something");
    await run(place, "purge", "ep:1", "--yes");
    for (const args of [["ep:1", "--everywhere", "--yes"], ["--everywhere"], ["--verify"]]) {
      const { code, stderr } = await runInProcess(place, ["purge", ...args]);
      expect(code, args.join(" ")).not.toBe(0);
      expect(stderr).toContain("--verify");
    }
  });
});
