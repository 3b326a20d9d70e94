import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/index.ts";
import { configPlace } from "../config/config-place.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

it("recall reads the layers that the user's settings name, and says which item is whose", async () => {
  const place = cliPlace();
  const cairn = (...args: string[]) => runInProcess(place, args);
  const layered = (...args: string[]) =>
    runInProcess(place, ["recall", "release", ...args], { env: { CAIRN_LAYERS: "team" } });
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

it("a project that nobody trusts adds no layer", () => {
  const place = configPlace();
  place.writeProject('{"layers": ["default"]}');
  const { settings, warnings } = loadConfig(place);
  expect(settings.layers).toEqual([]);
  expect(warnings.join()).toContain("layers");
});

it("recall names a layer that cannot be read below what it found in the others", async () => {
  const place = cliPlace();
  await runInProcess(place, ["remember", "I release in the evening"]);
  writeFileSync(join(place.dataDir, "team.db"), "no database ".repeat(1_000));
  const found = await runInProcess(place, ["recall", "release"], { env: { CAIRN_LAYERS: "team" } });
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/in the evening[\s\S]*The layer "team" could not be read/);
});

it("conflicts says that there is something between the layers, and by which command it is listed", async () => {
  const place = cliPlace();
  const cairn = (...args: string[]) => runInProcess(place, args, { env: { CAIRN_LAYERS: "team" } });
  await cairn("db", "create", "team");
  await cairn("remember", "The shop uses npm", "--episode-type", "decision", "--db", "team");
  expect((await cairn("list", "conflicts")).stdout).not.toContain("contradictions");
  await cairn("remember", "The shop uses pnpm", "--episode-type", "decision");
  const told = "contradictions  1 with farther layers: cairn contradictions";
  expect((await cairn("list", "conflicts")).stdout).toContain(told);
  expect((await cairn("contradictions")).stdout).toContain("The shop uses npm");
  expect(JSON.parse((await cairn("list", "conflicts", "--json")).stdout)).not.toHaveProperty(
    "contradictions",
  );
});

it("promote shows what would go, then copies it to the layer that is named", async () => {
  const place = cliPlace();
  const cairn = (...args: string[]) => runInProcess(place, args, { env: { CAIRN_LAYERS: "team" } });
  await cairn("remember", "I release in the evening", "--asserted-by", "Ada");
  const rehearsed = await cairn("promote", "ep:1", "--to", "team", "--dry-run");
  expect(rehearsed.stdout).toContain("I release in the evening");
  expect((await cairn("list", "databases")).stdout).not.toContain("team");
  const promoted = await cairn("promote", "ep:1", "--to", "team");
  expect(promoted).toMatchObject({ code: 0 });
  expect(promoted.stdout).toContain("team/ep:1");
  expect((await cairn("recall", "release", "--db", "team")).stdout).toContain("by Ada");
});

it("undo takes the copy back with the promotion, or says why it stays, and redo brings it again", async () => {
  const place = cliPlace();
  const cairn = (...args: string[]) => runInProcess(place, args, { env: { CAIRN_LAYERS: "team" } });
  await cairn("remember", "I release in the evening");
  await cairn("promote", "ep:1", "--to", "team");
  expect((await cairn("undo", "--dry-run")).stdout).toContain("team/ep:1 would be taken back, too");
  expect((await cairn("undo")).stdout).toContain("team/ep:1 is taken back, too");
  expect((await cairn("recall", "release", "--db", "team")).stdout).not.toContain("evening");
  expect((await cairn("redo")).stdout).toContain("team/ep:1 is brought back, too");
  await cairn("episode", "update", "ep:1", "--content", "I release at noon", "--db", "team");
  const kept = await cairn("undo", "change:2", "--together");
  expect(kept).toMatchObject({ code: 0 });
  expect(kept.stdout).toContain("team/ep:1 stays as it is: In team, change:4 came later");
  expect((await cairn("recall", "release", "--db", "team")).stdout).toContain("noon");
});
