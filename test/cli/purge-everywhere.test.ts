import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DurableQueue } from "../../src/shared/durable-queue.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const SECRET = "Our contact is Zanzibarina Quellwasser.";

async function run(folders: CliFolders, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(folders, args);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

interface Found {
  readonly kind: string;
  readonly file: string;
  readonly name?: string;
}

async function look(folders: CliFolders, ...args: string[]) {
  const { code, stdout } = await runInProcess(folders, [
    "purge",
    ...args,
    "--everywhere",
    "--json",
  ]);
  const { found, unread } = JSON.parse(stdout) as { found: Found[]; unread: string[] };
  expect(unread).toEqual([]);
  const kinds = found.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`));
  return { code, found, kinds: kinds.sort() };
}

/** A memory whose only item appears in all data and files that cairn writes. */
async function createSpreadMemory() {
  const folders = createCliFolders();
  const { project, dataDir } = folders;
  await run(folders, "remember", SECRET);
  await run(folders, "db", "copy", "default", "second");
  await run(folders, "db", "copy", "default", "doomed");
  await run(folders, "db", "delete", "doomed");
  await run(folders, "db", "backup", "default", "kept.db");
  await run(folders, "export", "kept.jsonl");
  await run(folders, "export", "--format", "markdown", "pages");
  await run(folders, "export", "--format", "claude-md", "CLAUDE.md");
  const transcriptPath = join(project, "session.jsonl");
  writeFileSync(transcriptPath, `{"text":"${SECRET}"}\n`);
  const queue = new DurableQueue(join(dataDir, "queue"));
  queue.add("transcript", { transcriptPath });
  queue.add("captured", { text: SECRET });
  mkdirSync(join(dataDir, "threads"));
  writeFileSync(join(dataDir, "threads", "session.jsonl"), SECRET);
  return folders;
}

describe("purge --verify --everywhere", () => {
  it("reports where texts remain until none do", async () => {
    const folders = await createSpreadMemory();
    const { project, dataDir } = folders;
    const first = await look(folders, "ep:1", "--yes");
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
    const result = await runInProcess(folders, ["purge", "--verify", SECRET, "--everywhere"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^second\.db: at byte \d+; .*`cairn recall --db second`/m);
    expect(result.stdout).toMatch(/^bin.doomed-\S+: at byte \d+; .*`cairn db restore doomed-/m);
    expect(result.stdout).toContain(`${join(project, "kept.db")}: at byte`);

    await run(folders, "purge", "ep:1", "--yes", "--db", "second");
    rmSync(join(dataDir, "bin"), { recursive: true });
    rmSync(join(dataDir, "queue"), { recursive: true });
    rmSync(join(dataDir, "threads"), { recursive: true });
    for (const file of ["kept.db", "kept.jsonl", "pages", "CLAUDE.md"]) {
      rmSync(join(project, file), { recursive: true, force: true });
    }
    expect(await run(folders, "purge", "--verify", SECRET, "--everywhere")).toMatch(
      /^No bytes of it remain in the \d+ files that cairn stores or has written\.\n$/,
    );
  });

  it("includes deleted databases, copies, backups and exports", async () => {
    const folders = await createSpreadMemory();
    await run(folders, "db", "rename", "second", "renamed");
    const { kept_elsewhere: stored } = JSON.parse(
      await run(folders, "purge", "ep:1", "--yes", "--json"),
    );
    expect(stored.join("\n")).toMatch(/A copy next to it may contain it: renamed\./);
    expect(stored.join("\n")).toMatch(/A backup where it was written may contain it: kept\.db\./);
    expect(stored.join("\n")).toMatch(/An export where it was written may contain it: /);
    expect(stored.join("\n")).not.toContain(folders.project);

    const other = createCliFolders();
    await run(other, "remember", "One");
    await run(other, "db", "delete", "default");
    await run(other, "remember", "Two");
    expect(await run(other, "purge", "ep:1", "--yes")).toMatch(
      /Purged permanently: ep:1\.\nA deleted database in the bin may contain it: default-\d/,
    );
  });

  it("finds text in a database's write-ahead log", async () => {
    const folders = createCliFolders();
    await run(folders, "remember", "Something else");
    writeFileSync(join(folders.dataDir, "default.db.left-wal-1"), `x${SECRET}`);
    const { kinds, found } = await look(folders, "--verify", SECRET);
    expect({ kinds, found }).toEqual({
      kinds: ["database default"],
      found: [expect.objectContaining({ file: "default.db.left-wal-1", offset: 1 })],
    });
    expect(existsSync(folders.dataDir) && readdirSync(folders.dataDir)).toContain("default.db");
  });

  it("requires the text of items purged earlier", async () => {
    const folders = createCliFolders();
    await run(folders, "remember", "Something");
    await run(folders, "purge", "ep:1", "--yes");
    for (const args of [["ep:1", "--everywhere", "--yes"], ["--everywhere"], ["--verify"]]) {
      const { code, stderr } = await runInProcess(folders, ["purge", ...args]);
      expect(code, args.join(" ")).not.toBe(0);
      expect(stderr).toContain("--verify");
    }
  });
});
