import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeOnPostgres, takePostgresDatabase } from "../support/postgres/test-database.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const CHANGESET = [
  "remember as=old t=fact e=tool:node by=ada labels=a=b 'It runs on Node.js 18\\n\\u0000'",
  "remember as=new t=fact e=tool:node by=bob 'It runs on Node.js 20'",
  "supersede old=$old new=$new",
  "concept title='Upgrades' from=$old,$new 'One a year — größer, 日本'",
].join("\n");

const SESSION = ["Cap the retries at seven\u2028größer, 日本", "No: at nine"].map(
  (content, index) => ({
    ...{ uuid: `turn-${index}`, sessionId: "session", type: "user", cwd: "/shop" },
    timestamp: `2026-03-01T09:0${index}:00.000Z`,
    message: { role: "user", content },
  }),
);

/** A memory with records of all kinds, and a function that runs commands in it. */
async function createFilledMemory() {
  const place = createCliFolders();
  const cairn = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(place, args);
    return { code, stdout, stderr };
  };
  const applied = await runInProcess(place, ["apply", "--db", "shop"], { stdin: CHANGESET });
  expect(applied.code).toBe(0);
  const done = async (...args: string[]) => {
    const { code, stderr } = await cairn(...args, "--db", "shop");
    expect([code, stderr]).toEqual([0, ""]);
  };
  await done("remember", "Said and taken back");
  await done("undo");
  const transcript = join(place.project, "session.jsonl");
  writeFileSync(transcript, SESSION.map((record) => `${JSON.stringify(record)}\n`).join(""));
  await done("import", "--from", "claude-code", transcript);
  const exported = async (...where: string[]) => {
    const file = join(place.project, `${where.join("").replaceAll(/\W/g, "")}.jsonl`);
    const { code, stderr } = await cairn("export", file, "--force", ...where);
    expect([code, stderr]).toEqual([0, ""]);
    return readFileSync(file, "utf8");
  };
  return { place, cairn, exported };
}

it("copies a database to another folder with an identical export", async () => {
  const { place, cairn, exported } = await createFilledMemory();
  const copied = await cairn("db", "copy", "shop", "store", "--to", "elsewhere");
  expect([copied.code, copied.stderr]).toEqual([0, ""]);
  expect(copied.stdout).toMatch(/^Copied shop to store in elsewhere: \d+ rows\.\n$/);
  const elsewhere = join(place.project, "elsewhere");
  expect(await exported("--db", "store", "--data-dir", elsewhere)).toBe(
    await exported("--db", "shop"),
  );
  expect(existsSync(join(place.dataDir, "store.db"))).toBe(false);
});

it("never overwrites a database and removes failed copies", async () => {
  const { place, cairn } = await createFilledMemory();
  const elsewhere = join(place.project, "elsewhere");
  await cairn("remember", "mine", "--db", "store", "--data-dir", elsewhere);
  const refused = await cairn("db", "copy", "shop", "store", "--to", "elsewhere");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("not empty");
  const { stdout } = await cairn("recall", "mine", "--db", "store", "--data-dir", elsewhere);
  expect(stdout).toContain("mine");
  const nothing = await cairn("db", "copy", "nothing", "made", "--to", "elsewhere");
  expect(nothing.code).toBe(1);
  expect(existsSync(join(elsewhere, "made.db"))).toBe(false);
});

it("accepts --to only with copy and a valid URL", async () => {
  const { cairn } = await createFilledMemory();
  const other = await cairn("db", "rename", "shop", "store", "--to", "elsewhere");
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining("--to: is for cairn db copy"),
  ]);
  const bad = await cairn("db", "copy", "shop", "store", "--to", "postgres://ada:geheim@host");
  expect(bad.code).toBe(2);
  expect(bad.stderr).not.toContain("geheim");
});

describeOnPostgres("PostgreSQL", () => {
  it("copies a database to a server and back with an identical export", async () => {
    const { cairn, exported, place } = await createFilledMemory();
    const server = takePostgresDatabase();
    onTestFinished(() => server[Symbol.dispose]());
    const over = await cairn("db", "copy", "shop", "team", "--to", server.url);
    expect([over.code, over.stderr]).toEqual([0, ""]);
    expect(over.stdout).toContain("Copied shop to team in the server");
    const before = await exported("--db", "shop");
    expect(await exported("--db", "team", "--database", server.url)).toBe(before);
    const home = ["--database", server.url, "--to", "back"];
    const back = await cairn("db", "copy", "team", "shop", ...home);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    const folder = join(place.project, "back");
    expect(await exported("--db", "shop", "--data-dir", folder)).toBe(before);
  }, 180_000);

  it("can be filled by an import", async () => {
    const { cairn, exported, place } = await createFilledMemory();
    const server = takePostgresDatabase();
    onTestFinished(() => server[Symbol.dispose]());
    const before = await exported("--db", "shop");
    const file = join(place.project, "dbshop.jsonl");
    const there = ["--database", server.url, "--db", "team"];
    const imported = await cairn("import", file, ...there);
    expect([imported.code, imported.stderr]).toEqual([0, 'cairn: "team" is a new database.\n']);
    expect(await exported(...there)).toBe(before);
  }, 180_000);
});
