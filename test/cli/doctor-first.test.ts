import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

it("the doctor of a project in which nothing was remembered says what confines, and is content", async () => {
  const place = cliPlace();
  execFileSync("git", ["init", "-q"], { cwd: place.project });
  const told = await runInProcess(place, ["doctor"]);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toMatch(/^Nothing is stored yet: the database "project-/);
  expect(told.stdout).toMatch(/The agent's commands are confined by|No sandbox confines/);
  const json = JSON.parse((await runInProcess(place, ["doctor", "--json"])).stdout);
  expect(json).toMatchObject({ ok: true, findings: [], sandbox: expect.any(String) });
});

it("the doctor of a name that was typed and is not there fails", async () => {
  const { code, stderr } = await runInProcess(cliPlace(), ["doctor", "--db", "nope"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database "nope"')]);
});
