import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliPlace, cliPlace, runInProcess } from "../support/run-cli.ts";

type Turn = readonly [who: string, said: string];

const TURNS: readonly Turn[] = [
  ["user", "Set up the client."],
  ["gemini", "I ran npm install."],
  ["user", "From now on use pnpm, never npm."],
  ["user", "We decided to keep amounts as integer cents."],
  ["user", "Run it again, please."],
];

function session(id: string, day: string, turns: readonly Turn[]): string {
  const messages = turns.map(([type, content], index) => ({
    ...{ id: `m${index}`, type, content },
    timestamp: `${day}T09:00:0${index}.000Z`,
  }));
  return JSON.stringify({ sessionId: id, messages });
}

async function read(place: CliPlace, turns: readonly Turn[], day = "2026-03-01"): Promise<void> {
  const path = join(place.home, `session-${day}.json`);
  writeFileSync(path, session(`g-${day}`, day, turns));
  const { code, stderr } = await runInProcess(place, ["import", "--from", "gemini", path]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}

interface Item {
  readonly id: string;
  readonly content: string;
  readonly episode_type: string;
  readonly source_ref?: string;
  readonly replaced?: readonly { readonly content: string }[];
}

interface Learned {
  readonly kept: readonly Item[];
  readonly proposed: readonly Item[];
  readonly changes: readonly string[];
  readonly known: number;
}

async function learn(place: CliPlace, ...flags: string[]): Promise<Learned> {
  const { stdout, stderr } = await runInProcess(place, ["learn", "--json", ...flags]);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Learned;
}

const said = (items: readonly Item[]) =>
  items.map(({ episode_type: type, content }) => [type, content]);

const MEANT = [
  ["preference", "From now on use pnpm, never npm."],
  ["decision", "We decided to keep amounts as integer cents."],
];

async function episodes(place: CliPlace): Promise<readonly Item[]> {
  const { stdout } = await runInProcess(place, ["list", "episodes", "--json"]);
  return JSON.parse(stdout).episodes;
}

it("learns from a session once, with evidence, and from what is new when it goes on", async () => {
  const place = cliPlace();
  await read(place, TURNS);
  expect(said((await learn(place, "--dry-run")).kept)).toEqual(MEANT);
  expect(await episodes(place)).toEqual([]);

  expect(said((await learn(place)).kept)).toEqual(MEANT);
  const kept = await episodes(place);
  expect(said(kept).sort()).toEqual([...MEANT].sort());
  expect(kept[0]?.source_ref).toMatch(/^passage:\d+$/);
  expect(await learn(place)).toMatchObject({ kept: [], proposed: [], known: 0, changes: [] });

  await read(place, [...TURNS, ["user", "The staging database listens on port 5433."]]);
  expect(said((await learn(place)).kept)).toEqual([
    ["fact", "The staging database listens on port 5433."],
  ]);
  expect(await episodes(place)).toHaveLength(3);
});

it("lets what was said last hold, whichever session is learned from first", async () => {
  const place = cliPlace();
  await read(place, [["user", "From now on use pnpm to install packages, not npm."]], "2026-03-05");
  await read(place, [["user", "We decided to use npm to install packages."]], "2026-03-01");
  const { kept } = await learn(place, "--source", "source:1");
  expect(kept).toMatchObject([{ content: "From now on use pnpm to install packages, not npm." }]);
  await learn(place);
  const { stdout } = await runInProcess(place, ["recall", "install packages", "--json"]);
  const recalled = JSON.parse(stdout) as { episodes: readonly Item[] };
  expect(recalled.episodes.map(({ content }) => content)).toEqual([
    "From now on use pnpm to install packages, not npm.",
  ]);
});

it("is taken back as one change, and does not learn the same again", async () => {
  const place = cliPlace();
  await read(place, TURNS);
  const { stdout } = await runInProcess(place, ["learn"]);
  expect(stdout).toContain("◆ preference: From now on use pnpm, never npm. · source:1");
  const [, undo = ""] = /`cairn (undo change:\d+)` takes it back/.exec(stdout) ?? [];
  expect((await runInProcess(place, undo.split(" "))).code).toBe(0);
  expect(await episodes(place)).toEqual([]);
  expect((await learn(place)).kept).toEqual([]);
  expect(said((await learn(place, "--again")).kept)).toEqual(MEANT);
});

it("keeps nothing by itself when it is to ask, by its flag or by the config", async () => {
  const place = cliPlace();
  await read(place, TURNS);
  const asked = await learn(place, "--ask", "--dry-run");
  expect([asked.kept, asked.proposed.length]).toEqual([[], 2]);
  mkdirSync(join(place.home, ".config", "cairn"), { recursive: true });
  writeFileSync(join(place.home, ".config", "cairn", "config.json"), '{"learn":{"accept":"ask"}}');
  expect(await learn(place)).toMatchObject({ kept: [], proposed: [{ id: "proposal:1" }, {}] });
  expect(await episodes(place)).toEqual([]);
  const { stdout } = await runInProcess(place, ["proposals", "--json"]);
  expect(JSON.parse(stdout).proposals).toHaveLength(2);
});

it("says that a source is not there, and that there is no database yet", async () => {
  const place = cliPlace();
  const empty = await runInProcess(place, ["learn"]);
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining("no database")]);
  await read(place, TURNS);
  const { code, stderr } = await runInProcess(place, ["learn", "--source", "source:99"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("source:99")]);
});
