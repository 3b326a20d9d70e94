// @module-tag long: a pager in a terminal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { buildCli } from "../support/built-cli.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { Terminal } from "../terminal/support/terminal.ts";

interface Seen {
  readonly pager: string;
  readonly expected: RegExp;
}

/** Runs a command in a terminal of 24 rows until the expected text appears and it exits. */
async function see(folders: CliFolders, args: readonly string[], { pager, expected }: Seen) {
  const script = join(folders.project, "start.mjs");
  const main = await buildCli();
  const words = JSON.stringify([process.execPath, main, ...args]);
  writeFileSync(script, `process.argv = ${words};\nawait import(${JSON.stringify(main)});\n`);
  const env = { HOME: folders.home, CAIRN_DATA_DIR: folders.dataDir, PAGER: pager, NO_COLOR: "1" };
  const terminal = new Terminal({ script, cwd: folders.project, env });
  await terminal.waitFor(expected, 60_000);
  expect(await terminal.exited).toBe(0);
}

it("pages only output longer than the terminal", async () => {
  const folders = createCliFolders();
  const example = join(packageRoot(), "examples", "first-memory.changeset");
  await runInProcess(folders, ["apply", example]);
  const pager = "sed 's/^/| /'";
  await see(folders, ["log", "-p"], { pager, expected: /^\| change:1/ });
  await see(folders, ["show", "ep:11"], { pager, expected: /^ep:11/ });
  await see(folders, ["log", "-p", "--no-pager"], { pager, expected: /^change:1/ });
  // If the pager does not exist, the text is printed.
  await see(folders, ["log", "-p"], { pager: "no-such-pager", expected: /^change:1/m });
}, 240_000);
