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
async function json(place: CliFolders, ...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(place, [...args, "--json"]);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const databaseOf = (place: CliFolders) => join(place.dataDir, "default.db");

function bytesOf(place: CliFolders): string {
  return readdirSync(place.dataDir)
    .filter((name) => name.startsWith("default.db"))
    .map((name) => readFileSync(join(place.dataDir, name), "latin1"))
    .join("\n");
}

async function apply(place: CliFolders, lines: readonly string[]): Promise<void> {
  const { code, stderr } = await runInProcess(place, ["apply", "-"], { stdin: lines.join("\n") });
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

const counted = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_unused, n) => text(n));

async function activeCount(place: CliFolders): Promise<number> {
  return (await json(place, "stats")).episodes.total;
}

it(
  "an undo that is killed in the middle did not happen, and can be done",
  async () => {
    const place = createCliFolders();
    await apply(
      place,
      counted(300, (n) => `remember t=fact e=person:A${n} labels=n=${n} "Note ${n}"`),
    );
    const before = await activeCount(place);
    const child = await startCli(place, ["undo"]);
    await killDuringWrite(child, databaseOf(place));
    expect((await json(place, "doctor")).findings).toEqual([]);
    expect(await activeCount(place)).toBe(before);
    expect((await json(place, "log")).count).toBe(1);
    expect((await json(place, "undo")).undo_of).toEqual(["change:1"]);
    expect(await activeCount(place)).toBe(0);
    expect((await json(place, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  "a purge that is killed in the middle did not happen; after its commit the next write ends it",
  async () => {
    const place = createCliFolders();
    await apply(place, [
      ...counted(200, (n) => `remember labels=who=${NAME}${n} "${NAME} said ${n}"`),
      ...counted(20, (n) => `remember "${`other words ${n} `.repeat(300)}"`),
    ]);
    const ids = counted(200, (n) => `ep:${n + 1}`);
    const early = await startCli(place, ["purge", ...ids, "--yes"]);
    await killDuringWrite(early, databaseOf(place));
    expect((await json(place, "list", "deleted")).episodes).toEqual([]);
    expect(await json(place, "show", "ep:1")).toMatchObject({
      episode: { content: `${NAME} said 0` },
    });
    await killAfterPurge(databaseOf(place), () => startCli(place, ["purge", ...ids, "--yes"]));
    expect(bytesOf(place)).toContain(NAME);
    expect(await activeCount(place)).toBe(20);
    await json(place, "remember", "The next write");
    expect(bytesOf(place).toLowerCase()).not.toContain(NAME.toLowerCase());
    expect((await json(place, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  "notifies processes of an undo by another",
  async () => {
    const place = createCliFolders();
    await json(place, "remember", "One");
    const results = await Promise.all(
      counted(3, () => "change:1").map((change) => runCli(place, ["undo", change])),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { code, stderr } of results) {
      if (code === 1) expect(stderr).toContain("was undone by change:2 already");
    }
    expect((await json(place, "log")).count).toBe(2);
  },
  TIMEOUT_MS,
);

it(
  "keeps concurrent purges independent of a failing one",
  async () => {
    const place = createCliFolders();
    await apply(
      place,
      counted(3, (n) => `remember "${NAME} said ${n}"`),
    );
    const results = await Promise.all(
      ["ep:1", "ep:99", "ep:2", "ep:3"].map((id) => runCli(place, ["purge", id, "--yes"])),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 1, 0, 0]);
    expect(bytesOf(place).toLowerCase()).not.toContain(NAME.toLowerCase());
    expect((await json(place, "doctor")).findings).toEqual([]);
  },
  TIMEOUT_MS,
);
