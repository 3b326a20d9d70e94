import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeHelperFolder } from "../../../src/agent/sandbox/sandbox-helper.ts";
import { processNamespace } from "../../../src/shared/process-lock.ts";
import { findSandboxProblem } from "../support/sandbox-bench.ts";

const folderOf = (here: string, pid: number) =>
  join(tmpdir(), `cairn-sandbox-${here}.${pid}-abcdef`);

it("removes only the folders of killed processes", async () => {
  const { pid: dead } = spawnSync("true");
  const abandoned = folderOf(processNamespace(), dead);
  const others = [folderOf(processNamespace(), process.ppid), folderOf("12345", dead)];
  for (const folder of [abandoned, ...others]) mkdirSync(folder, { recursive: true });
  const own = await makeHelperFolder();
  onTestFinished(() => {
    for (const folder of [...others, own]) rmSync(folder, { recursive: true, force: true });
  });
  expect(existsSync(abandoned)).toBe(false);
  expect([...others, own].map((folder) => existsSync(folder))).toEqual([true, true, true]);
});

const noSandbox = await findSandboxProblem();

it.runIf(process.platform === "linux" && noSandbox === undefined)(
  "kills only the network relays of killed processes",
  async () => {
    const { pid: dead } = spawnSync("true");
    const carry = (folder: string) => {
      mkdirSync(folder, { recursive: true });
      const child = spawn("socat", [`UNIX-LISTEN:${folder}/c.sock,fork`, "TCP:localhost:1"]);
      onTestFinished(() => {
        child.kill("SIGKILL");
        rmSync(folder, { recursive: true, force: true });
      });
      return { child, ended: new Promise((resolve) => child.once("exit", resolve)), folder };
    };
    const abandoned = carry(folderOf(processNamespace(), dead));
    const alive = carry(folderOf(processNamespace(), process.ppid));
    for (const { folder, child } of [abandoned, alive]) {
      // A sandbox opened by another test may already have killed the abandoned helper.
      const isGone = () => folder === abandoned.folder && child.signalCode !== null;
      await expect.poll(() => existsSync(join(folder, "c.sock")) || isGone()).toBe(true);
    }
    // Simulates a folder that something else removed, such as the cleanup of a test run.
    rmSync(abandoned.folder, { recursive: true, force: true });
    const own = await makeHelperFolder();
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    await abandoned.ended;
    expect(alive.child.exitCode ?? alive.child.signalCode).toBeNull();
  },
);
