import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const inFolder = (place: CliFolders, ...names: string[]): CliFolders => {
  const project = join(place.project, ...names);
  mkdirSync(project, { recursive: true });
  return { ...place, project };
};

it("is the project's in all its folders, and reported on writes", async () => {
  const place = createCliFolders();
  const sub = inFolder(place, "src");
  await runInProcess(place, ["init", "shop"]);
  const { stdout } = await runInProcess(sub, ["remember", "x"]);
  expect(stdout).toBe("Remembered ep:1 (observation) in shop.\n");
  const nested = await runInProcess(sub, ["init"]);
  expect(nested).toMatchObject({ code: 1 });
  expect(nested.stderr).toContain('already covers this folder: it uses the database "shop"');
  expect((await runInProcess(sub, ["init", "--force"])).code).toBe(0);
  expect((await runInProcess(sub, ["config"])).stdout).toMatch(/^database +src \(/m);
});

it("defaults to the git work tree's own", async () => {
  const place = createCliFolders();
  execFileSync("git", ["init", "-q"], { cwd: place.project });
  const sub = inFolder(place, "a", "b");
  const { stdout } = await runInProcess(sub, ["remember", "x"]);
  expect(stdout).toMatch(/^Remembered ep:1 \(observation\) in project-[0-9a-f]{6}\.\n$/);
  await runInProcess(place, ["remember", "y", "--db", "other"]);
  const list = JSON.parse((await runInProcess(sub, ["list", "databases", "--json"])).stdout);
  expect(list.in_use).toMatch(/^project-/);
  expect(list.databases).toMatchObject([
    { name: "other", in_use: false, episodes: 1, project: null },
    { name: list.in_use, in_use: true, episodes: 1, open_conflicts: 0, project: place.project },
  ]);
  expect((await runInProcess(sub, ["list", "databases"])).stdout).toContain("in use here");
});

it("is empty before its first write, unless named explicitly", async () => {
  const place = createCliFolders();
  for (const args of [["stats"], ["recall", "x"], ["events"], ["ls"], ["log"]]) {
    expect(await runInProcess(place, args), args[0]).toMatchObject({ code: 0, stderr: "" });
  }
  expect((await runInProcess(place, ["stats", "--db", "nope"])).code).toBe(1);
  expect(existsSync(place.dataDir)).toBe(false);
});

it("reports a newly created name and rejects names differing only in case", async () => {
  const place = createCliFolders();
  const first = await runInProcess(place, ["remember", "x", "--db", "shop"]);
  expect(first.stderr).toBe('cairn: "shop" is a new database.\n');
  expect((await runInProcess(place, ["remember", "x", "--db", "shop"])).stderr).toBe("");
  const typo = await runInProcess(place, ["remember", "x", "--db", "shp"]);
  expect(typo.stderr).toContain('There is also "shop".');
  const other = await runInProcess(place, ["remember", "x", "--db", "Shop"]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("only in case");
});
