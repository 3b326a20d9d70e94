import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { processesHere } from "../../../src/agent/processes/process-identity.ts";
import { makeHelperFolder } from "../../../src/agent/sandbox/helper-folder.ts";

const folderOf = (here: string, pid: number) =>
  join(tmpdir(), `cairn-sandbox-${here}.${pid}-abcdef`);

it("removes the folders of cairns that were killed, and only those", async () => {
  const { pid: dead } = spawnSync("true");
  const abandoned = folderOf(processesHere(), dead);
  const others = [folderOf(processesHere(), process.ppid), folderOf("12345", dead)];
  for (const folder of [abandoned, ...others]) mkdirSync(folder, { recursive: true });
  const own = await makeHelperFolder();
  onTestFinished(() => {
    for (const folder of [...others, own]) rmSync(folder, { recursive: true, force: true });
  });
  expect(existsSync(abandoned)).toBe(false);
  expect([...others, own].map((folder) => existsSync(folder))).toEqual([true, true, true]);
});
