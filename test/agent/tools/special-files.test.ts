import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readTasks } from "../../../src/agent/tasks/task-store.ts";
import { globTool, grepTool } from "../../../src/agent/tools/grep.ts";
import { openToolBench } from "../support/tool-bench.ts";

async function openBench() {
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  return bench;
}

it("ignores an ignore file that links to a device", async () => {
  const bench = await openBench();
  await symlink("/dev/zero", join(bench.root, ".gitignore"));
  await writeFile(join(bench.root, "a.txt"), "a");
  const { text } = await bench.run(globTool, { pattern: "*.txt" });
  expect(text).toContain("a.txt");
});

it("rejects a tasks file that links to a device", async () => {
  const bench = await openBench();
  await mkdir(join(bench.root, ".cairn"));
  await symlink("/dev/zero", join(bench.root, ".cairn", "tasks.json"));
  await expect(readTasks(bench.root)).rejects.toThrowError(/is not a regular file/);
});

it("a named pipe is not searched", async () => {
  const bench = await openBench();
  execFileSync("mkfifo", [join(bench.root, "pipe")]);
  const grep = grepTool(undefined);
  await expect(bench.run(grep, { pattern: "x", path: "pipe" })).rejects.toThrowError(
    /neither a regular file nor a folder/,
  );
});
