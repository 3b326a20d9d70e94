import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("doctor succeeds for an empty project and reports the sandbox", async () => {
  const folders = createCliFolders();
  execFileSync("git", ["init", "-q"], { cwd: folders.project });
  const result = await runInProcess(folders, ["doctor"]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^Nothing is stored yet: the database "project-/);
  expect(result.stdout).toMatch(/The agent's commands run (?:in a sandbox|without a sandbox):/);
  const json = JSON.parse((await runInProcess(folders, ["doctor", "--json"])).stdout);
  expect(json).toMatchObject({ ok: true, findings: [], sandbox: expect.any(String) });
});

it("doctor fails for a missing database", async () => {
  const { code, stderr } = await runInProcess(createCliFolders(), ["doctor", "--db", "nope"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database "nope"')]);
});
