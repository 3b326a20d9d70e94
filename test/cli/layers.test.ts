import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/index.ts";
import { createConfigFolders } from "../config/config-folders.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("recall reads configured layers and labels items with their layer", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) => runInProcess(folders, args);
  const layered = (...args: string[]) =>
    runInProcess(folders, ["recall", "release", ...args], { env: { CAIRN_LAYERS: "team" } });
  await cairn("db", "create", "team");
  await cairn("remember", "The team has a release on Tuesdays", "--db", "team");
  await cairn("remember", "I release in the evening");
  expect((await cairn("recall", "release")).stdout).not.toContain("Tuesdays");
  const both = await layered();
  expect(both).toMatchObject({ code: 0, stderr: "" });
  expect(both.stdout).toContain("The team has a release on Tuesdays");
  expect(both.stdout).toContain("team/ep:1");
  expect(both.stdout).toContain("I release in the evening");
  expect((await layered("--db", "team")).stdout).not.toContain("evening");
});

it("an untrusted project adds no layer", () => {
  const paths = createConfigFolders();
  paths.writeProject('{"layers": ["default"]}');
  const { settings, warnings } = loadConfig(paths);
  expect(settings.layers).toEqual([]);
  expect(warnings.join()).toContain("layers");
});

it("recall reports an unreadable layer below the results of the others", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "I release in the evening"]);
  writeFileSync(join(folders.dataDir, "team.db"), "no database ".repeat(1_000));
  const found = await runInProcess(folders, ["recall", "release"], {
    env: { CAIRN_LAYERS: "team" },
  });
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/in the evening[\s\S]*The layer "team" could not be read/);
});

it("promote previews an item, then copies it to the given layer", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) =>
    runInProcess(folders, args, { env: { CAIRN_LAYERS: "team" } });
  await cairn("remember", "I release in the evening", "--asserted-by", "Ada");
  const rehearsed = await cairn("promote", "ep:1", "--to", "team", "--dry-run");
  expect(rehearsed.stdout).toContain("I release in the evening");
  expect((await cairn("list", "databases")).stdout).not.toContain("team");
  const promoted = await cairn("promote", "ep:1", "--to", "team");
  expect(promoted).toMatchObject({ code: 0 });
  expect(promoted.stdout).toContain("team/ep:1");
  expect((await cairn("recall", "release", "--db", "team")).stdout).toContain("by Ada");
});

it("undo removes the label of a promotion and leaves the copy", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) =>
    runInProcess(folders, args, { env: { CAIRN_LAYERS: "team" } });
  await cairn("remember", "I release in the evening");
  await cairn("promote", "ep:1", "--to", "team");
  expect(await cairn("undo")).toMatchObject({ code: 0 });
  expect((await cairn("show", "ep:1")).stdout).not.toContain("promoted");
  expect((await cairn("recall", "release", "--db", "team")).stdout).toContain("evening");
});
