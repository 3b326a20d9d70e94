import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const inFolder = (folders: CliFolders, ...names: string[]): CliFolders => {
  const project = join(folders.project, ...names);
  mkdirSync(project, { recursive: true });
  return { ...folders, project };
};

it("is the project's in all its folders, and reported on writes", async () => {
  const folders = createCliFolders();
  const sub = inFolder(folders, "src");
  await runInProcess(folders, ["init", "shop"]);
  const { stdout } = await runInProcess(sub, ["remember", "x"]);
  expect(stdout).toBe("Remembered ep:1 (observation) in shop.\n");
  const nested = await runInProcess(sub, ["init"]);
  expect(nested).toMatchObject({ code: 1 });
  expect(nested.stderr).toContain('already covers this folder: it uses the database "shop"');
  expect((await runInProcess(sub, ["init", "--force"])).code).toBe(0);
  expect((await runInProcess(sub, ["config"])).stdout).toMatch(/^database +src \(/m);
});

it("defaults to the git work tree's own", async () => {
  const folders = createCliFolders();
  execFileSync("git", ["init", "-q"], { cwd: folders.project });
  const sub = inFolder(folders, "a", "b");
  const { stdout } = await runInProcess(sub, ["remember", "x"]);
  expect(stdout).toMatch(/^Remembered ep:1 \(observation\) in project-[0-9a-f]{6}\.\n$/);
  await runInProcess(folders, ["remember", "y", "--db", "other"]);
  const list = JSON.parse((await runInProcess(sub, ["list", "databases", "--json"])).stdout);
  expect(list.in_use).toMatch(/^project-/);
  expect(list.databases).toMatchObject([
    { name: "other", in_use: false, episodes: 1, project: null },
    { name: list.in_use, in_use: true, episodes: 1, open_conflicts: 0, project: folders.project },
  ]);
  expect((await runInProcess(sub, ["list", "databases"])).stdout).toContain("in use here");
});

it("is empty before its first write, unless named explicitly", async () => {
  const folders = createCliFolders();
  for (const args of [["stats"], ["recall", "x"], ["events"], ["ls"], ["log"]]) {
    expect(await runInProcess(folders, args), args[0]).toMatchObject({ code: 0, stderr: "" });
  }
  expect((await runInProcess(folders, ["stats", "--db", "nope"])).code).toBe(1);
  expect(existsSync(folders.dataDir)).toBe(false);
});

it("reports a newly created name and rejects names differing only in case", async () => {
  const folders = createCliFolders();
  const first = await runInProcess(folders, ["remember", "x", "--db", "shop"]);
  expect(first.stderr).toBe('cairn: "shop" is a new database.\n');
  expect((await runInProcess(folders, ["remember", "x", "--db", "shop"])).stderr).toBe("");
  const typo = await runInProcess(folders, ["remember", "x", "--db", "shp"]);
  expect(typo.stderr).toContain('There is also "shop".');
  const other = await runInProcess(folders, ["remember", "x", "--db", "Shop"]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("only in case");
});
