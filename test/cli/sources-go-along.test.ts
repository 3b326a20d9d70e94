// @module-tag long: sends a memory through every format and store.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const WORDS = "Cap the retries at seven attempts";

function transcript(folders: CliFolders, id: string, turns: readonly string[]): string {
  const path = join(folders.project, `${id}.jsonl`);
  const records = turns.map((text, index) => ({
    ...{ uuid: `${id}-${index}`, sessionId: id, cwd: folders.project, type: "user" },
    timestamp: `2026-03-01T09:0${index}:00.000Z`,
    message: { role: "user", content: text },
  }));
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

function commands(cliFolders: CliFolders) {
  return async (db: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(cliFolders, [...args, "--db", db]);
    expect([code, stderr.replace(/^cairn: .* is a new database\.\n$/, "")]).toEqual([0, ""]);
    return stdout;
  };
}

async function keptIn(cairn: ReturnType<typeof commands>, db: string) {
  const { sources } = JSON.parse(await cairn(db, "list", "sources", "--json"));
  return sources
    .map(({ kind, key, passages }: Record<string, unknown>) => `${kind} ${key} ${passages}`)
    .sort();
}

it("sources and passages are included in copies and exports", async () => {
  const folders = createCliFolders();
  const cairn = commands(folders);
  const read = (db: string, id: string, turns: readonly string[]) =>
    cairn(db, "import", "--from", "claude-code", transcript(folders, id, turns));
  await read("mine", "one", [WORDS, "No, at nine, and tell the person why"]);

  await cairn("mine", "db", "copy", "mine", "copy");
  const file = join(folders.project, "all.jsonl");
  await cairn("mine", "export", file);
  expect(readFileSync(file, "utf8")).toContain(WORDS);
  await cairn("again", "import", file);
  for (const db of ["copy", "again"]) {
    expect(await keptIn(cairn, db)).toEqual(["claude-code one 2"]);
    expect(await cairn(db, "recall", "how many retries", "--passage-k", "3")).toContain(WORDS);
  }

  // Read again, nothing is new; taken back, it is gone; purged, no byte of it stays.
  await read("copy", "one", [WORDS, "No, at nine, and tell the person why"]);
  expect(await keptIn(cairn, "copy")).toEqual(["claude-code one 2"]);
  await read("copy", "three", ["Only said to be taken back"]);
  await cairn("copy", "undo");
  expect(await keptIn(cairn, "copy")).toEqual(["claude-code one 2"]);
  await cairn("copy", "purge", "source:1", "--yes");
  expect(await keptIn(cairn, "copy")).toEqual([]);
  expect(readFileSync(join(folders.dataDir, "copy.db")).includes("seven attempts")).toBe(false);

  for (const db of ["mine", "copy", "again"]) await cairn(db, "doctor");
});
