import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const EXAMPLE = join(packageRoot(), "examples", "first-memory.changeset");

async function createFilledMemory(): Promise<CliFolders> {
  const folders = createCliFolders();
  expect((await runInProcess(folders, ["apply", EXAMPLE])).code).toBe(0);
  return folders;
}

it("shows several ids, a change and an event, from words and from standard input", async () => {
  const folders = await createFilledMemory();
  const { stdout } = await runInProcess(folders, [
    "show",
    "1",
    "person:ada",
    "event:3",
    "change:1",
  ]);
  const at = ["ep:1  fact", "person:ada", "remembered  ep:3", "apply"].map((text) =>
    stdout.indexOf(text),
  );
  expect(at.every((position, index) => position > (at[index - 1] ?? -1))).toBe(true);
  const piped = await runInProcess(folders, ["show", "-", "--json"], { stdin: "ep:1 conflict:1" });
  expect(JSON.parse(piped.stdout).items).toMatchObject([
    { episode: { id: "ep:1" } },
    { conflict: { id: "conflict:1" } },
  ]);
  const one = await runInProcess(folders, ["show", "ep:1", "--json"]);
  expect(JSON.parse(one.stdout)).toMatchObject({ episode: { id: "ep:1" } });
});

it("draws a cluster's timeline from any of its facts", async () => {
  const folders = await createFilledMemory();
  for (const id of ["fact:1", "fact:2", "ep:1"]) {
    const { stdout } = await runInProcess(folders, ["show", id]);
    expect(stdout).toMatch(/Timeline\nfact:1 +2025-11-03 to \d{4}-\d\d-\d\d +━+┥/);
    expect(stdout).toMatch(/\nfact:2 +2026-04-14 to now +━+▶/);
  }
  expect((await runInProcess(folders, ["show", "fact:5"])).stdout).not.toContain("Timeline");
});

it("draws a cluster's facts regardless of the number of events", async () => {
  const folders = await createFilledMemory();
  const ops = Array.from({ length: 60 }, (_, n) => `label ep:1 step=${n}`);
  await runInProcess(folders, ["apply"], { stdin: ops.join("\n") });
  const { stdout } = await runInProcess(folders, ["show", "fact:1"]);
  expect(stdout).toMatch(/\nfact:2 +2026-04-14 to now/);
});

it.each([
  ["event:999", "there is no event:999"],
  ["change:999", "there is no change:999"],
  ["ep:99", '"ep:99"'],
])("reports a missing %s and shows nothing", async (id, reply) => {
  const { code, stdout, stderr } = await runInProcess(await createFilledMemory(), [
    "show",
    "ep:1",
    id,
  ]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(reply);
});

it("draws bars and a sparkline in stats, and prints numbers in JSON", async () => {
  const folders = await createFilledMemory();
  const { stdout } = await runInProcess(folders, ["stats"]);
  expect(stdout).toMatch(/\nfact +▇{24} 5\n/);
  expect(stdout).toMatch(/\n▄▄ .*█\na week each from 2025-11-03 to 2026-05-12; maximum 2\n$/);
  const json = JSON.parse((await runInProcess(folders, ["stats", "--json"])).stdout);
  expect(Object.keys(json)).not.toContain("timeline");
  expect((await runInProcess(createCliFolders(), ["stats"])).code).toBe(0);
});

it("prints table headers only on a terminal", async () => {
  const folders = await createFilledMemory();
  const terminal = { isTTY: true, columns: 80, env: { NO_COLOR: "1" } };
  const result = await runInProcess(folders, ["list", "entities"], terminal);
  expect(result.stdout).toMatch(/^entity +mentions +first\n/);
  expect((await runInProcess(folders, ["list", "entities"])).stdout).not.toContain(
    "mentions  first",
  );
});
