import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("doctor succeeds for an empty project and reports the sandbox", async () => {
  const place = createCliFolders();
  execFileSync("git", ["init", "-q"], { cwd: place.project });
  const told = await runInProcess(place, ["doctor"]);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toMatch(/^Nothing is stored yet: the database "project-/);
  expect(told.stdout).toMatch(/The agent's commands run (?:in a sandbox|without a sandbox):/);
  const json = JSON.parse((await runInProcess(place, ["doctor", "--json"])).stdout);
  expect(json).toMatchObject({ ok: true, findings: [], sandbox: expect.any(String) });
});

it("doctor fails for a missing database", async () => {
  const { code, stderr } = await runInProcess(createCliFolders(), ["doctor", "--db", "nope"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database "nope"')]);
});
