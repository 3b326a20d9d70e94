import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { buildCli } from "../support/built-cli.ts";
import {
  type CliFolders,
  createCliFolders,
  environment,
  runInProcess,
} from "../support/run-cli.ts";

const execute = promisify(execFile);

/** A limit of 8 KiB a file leaves no room for the index of the log, as a full disk does. */
const limited = (...args: string[]) => [
  "-c",
  'ulimit -f 8; exec "$0" "$@"',
  process.execPath,
  ...args,
];

const options = (folders: CliFolders) => ({
  cwd: folders.project,
  env: { PATH: process.env.PATH ?? "", ...environment(folders), CAIRN_DAEMON: "off" },
});

describe("a database on a full disk", () => {
  it("can be read, and a write reports the full disk", { tags: ["long"] }, async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "carved in stone"]);
    expect(readdirSync(folders.dataDir)).toEqual(["default.db"]);
    const cli = await buildCli();
    const run = (...args: string[]) => execute("sh", limited(cli, ...args), options(folders));
    for (const command of [["recall", "stone"], ["list", "episodes"], ["export"]]) {
      expect((await run(...command)).stdout).toContain("carved in stone");
    }
    await expect(run("remember", "more")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The disk is full"),
    });
  });

  it("reads as empty if the first write found no space", { tags: ["long"] }, async () => {
    const folders = createCliFolders();
    const cli = await buildCli();
    const run = (...args: string[]) => execute("sh", limited(cli, ...args), options(folders));
    await expect(run("remember", "first")).rejects.toMatchObject({
      stderr: expect.stringContaining("The disk is full"),
    });
    expect((await run("list", "episodes")).stdout).toContain("No episodes");
    await runInProcess(folders, ["remember", "carved in stone"]);
    expect((await run("recall", "stone")).stdout).toContain("carved in stone");
  });
});
