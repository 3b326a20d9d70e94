// @module-tag long: kills processes at random times.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { killAfterPurge, killDuringWrite } from "../support/kill-during-write.ts";
import {
  type CliFolders,
  createCliFolders,
  runCli,
  runInProcess,
  startCli,
} from "../support/run-cli.ts";

const NAME = "Zanzibarina";
const TIMEOUT_MS = 240_000;

/** In this process: only killed or concurrent commands need their own. */
async function json(folders: CliFolders, ...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(folders, [...args, "--json"]);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const databaseOf = (folders: CliFolders) => join(folders.dataDir, "default.db");

function bytesOf(folders: CliFolders): string {
  return readdirSync(folders.dataDir)
    .filter((name) => name.startsWith("default.db"))
    .map((name) => readFileSync(join(folders.dataDir, name), "latin1"))
    .join("\n");
}

async function apply(cliFolders: CliFolders, lines: readonly string[]): Promise<void> {
  const { code, stderr } = await runInProcess(cliFolders, ["apply", "-"], {
    stdin: lines.join("\n"),
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

const counted = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_unused, n) => text(n));

async function activeCount(folders: CliFolders): Promise<number> {
  return (await json(folders, "stats")).episodes.total;
}

it(
  "an undo that is killed in the middle did not happen, and can be done",
  async () => {
    const folders = createCliFolders();
    await apply(
      folders,
      counted(300, (n) => `remember t=fact e=person:A${n} labels=n=${n} "Note ${n}"`),
    );
    const before = await activeCount(folders);
    const child = await startCli(folders, ["undo"]);
    await killDuringWrite(child, databaseOf(folders));
    expect((await json(folders, "doctor")).findings).toEqual([]);
    expect(await activeCount(folders)).toBe(before);
    expect((await json(folders, "log")).count).toBe(1);
    expect((await json(folders, "undo")).undo_of).toEqual(["change:1"]);
    expect(await activeCount(folders)).toBe(0);
    expect((await json(folders, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  "a purge that is killed in the middle did not happen; after its commit the next write ends it",
  async () => {
    const folders = createCliFolders();
    await apply(folders, [
      ...counted(200, (n) => `remember labels=who=${NAME}${n} "${NAME} said ${n}"`),
      ...counted(20, (n) => `remember "${`other words ${n} `.repeat(300)}"`),
    ]);
    const ids = counted(200, (n) => `ep:${n + 1}`);
    const early = await startCli(folders, ["purge", ...ids, "--yes"]);
    await killDuringWrite(early, databaseOf(folders));
    expect((await json(folders, "list", "deleted")).episodes).toEqual([]);
    expect(await json(folders, "show", "ep:1")).toMatchObject({
      episode: { content: `${NAME} said 0` },
    });
    await killAfterPurge(databaseOf(folders), () => startCli(folders, ["purge", ...ids, "--yes"]));
    expect(bytesOf(folders)).toContain(NAME);
    expect(await activeCount(folders)).toBe(20);
    await json(folders, "remember", "The next write");
    expect(bytesOf(folders).toLowerCase()).not.toContain(NAME.toLowerCase());
    expect((await json(folders, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  "notifies processes of an undo by another",
  async () => {
    const folders = createCliFolders();
    await json(folders, "remember", "One");
    const results = await Promise.all(
      counted(3, () => "change:1").map((change) => runCli(folders, ["undo", change])),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { code, stderr } of results) {
      if (code === 1) expect(stderr).toContain("was undone by change:2 already");
    }
    expect((await json(folders, "log")).count).toBe(2);
  },
  TIMEOUT_MS,
);

it(
  "keeps concurrent purges independent of a failing one",
  async () => {
    const folders = createCliFolders();
    await apply(
      folders,
      counted(3, (n) => `remember "${NAME} said ${n}"`),
    );
    const results = await Promise.all(
      ["ep:1", "ep:99", "ep:2", "ep:3"].map((id) => runCli(folders, ["purge", id, "--yes"])),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 1, 0, 0]);
    expect(bytesOf(folders).toLowerCase()).not.toContain(NAME.toLowerCase());
    expect((await json(folders, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);
