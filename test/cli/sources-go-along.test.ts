// @module-tag long: sends a memory through every format and store.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";

const WORDS = "Cap the retries at seven attempts";

function transcript(place: CliPlace, id: string, turns: readonly string[]): string {
  const path = join(place.project, `${id}.jsonl`);
  const records = turns.map((text, index) => ({
    ...{ uuid: `${id}-${index}`, sessionId: id, cwd: place.project, type: "user" },
    timestamp: `2026-03-01T09:0${index}:00.000Z`,
    message: { role: "user", content: text },
  }));
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

function commands(place: CliPlace) {
  return async (db: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(place, [...args, "--db", db]);
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

it("sources and passages are included in copies, exports and merges", async () => {
  const place = cliPlace();
  const cairn = commands(place);
  const read = (db: string, id: string, turns: readonly string[]) =>
    cairn(db, "import", "--from", "claude-code", transcript(place, id, turns));
  await read("mine", "one", [WORDS, "No, at nine, and tell the person why"]);
  await read("yours", "two", ["The page has a dark theme from now on"]);

  await cairn("mine", "db", "copy", "mine", "copy");
  const file = join(place.project, "all.jsonl");
  await cairn("mine", "export", file);
  expect(readFileSync(file, "utf8")).toContain(WORDS);
  await cairn("again", "import", file);
  for (const db of ["copy", "again"]) {
    expect(await keptIn(cairn, db)).toEqual(["claude-code one 2"]);
    expect(await cairn(db, "recall", "how many retries", "--passage-k", "3")).toContain(WORDS);
  }

  // A merge adds missing passages; a diff lists them.
  await read("yours", "one", [WORDS, "No, at nine, and tell the person why", "Or at ten"]);
  const apart = await cairn("mine", "db", "diff", "yours", "mine");
  expect(apart).toContain("claude-code: The page has a dark theme from now on (1 passage(s))");
  expect(apart).toContain("(1 of 3 passage(s))");
  const rehearsed = await cairn("mine", "db", "merge", "yours", "mine", "--dry-run");
  expect(rehearsed).toContain("2 new, 0 changed, 2 already there, 0 skipped");
  expect(await keptIn(cairn, "mine")).toEqual(["claude-code one 2"]);
  for (const counts of ["2 new, 0 changed, 2 already there", "0 new, 0 changed, 4 already there"]) {
    expect(await cairn("mine", "db", "merge", "yours", "mine")).toContain(`${counts}, 0 skipped`);
    expect(await keptIn(cairn, "mine")).toEqual(["claude-code one 3", "claude-code two 1"]);
  }
  expect(await cairn("mine", "db", "diff", "yours", "mine")).not.toContain("passage(s)");

  // Importing again adds nothing; undo and purge remove sources completely.
  await read("copy", "one", [WORDS, "No, at nine, and tell the person why"]);
  expect(await keptIn(cairn, "copy")).toEqual(["claude-code one 2"]);
  await read("copy", "three", ["Only said to be taken back"]);
  await cairn("copy", "undo");
  expect(await keptIn(cairn, "copy")).toEqual(["claude-code one 2"]);
  await cairn("copy", "purge", "source:1", "--yes");
  expect(await keptIn(cairn, "copy")).toEqual([]);
  expect(readFileSync(join(place.dataDir, "copy.db")).includes("seven attempts")).toBe(false);

  for (const db of ["mine", "yours", "copy", "again"]) await cairn(db, "doctor");
});
