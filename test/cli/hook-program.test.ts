import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import type { CommandLine } from "../../src/cli/command-line.ts";
import { readHookRun } from "../../src/cli/hook/hook-run.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { createCliFolders, environment, runInProcess } from "../support/run-cli.ts";

const START = `
  const file = ${JSON.stringify(resolve("dist/hook.cjs"))};
  const { Script } = require("node:vm");
  const program = new Script(require("node:fs").readFileSync(file, "latin1")).runInThisContext();
  program({}, require("node:module").createRequire(file), {}, file, require("node:path").dirname(file));
`;

it.each(["timeout", "patience"])("limits recall by --%s", async (flag) => {
  const folders = createCliFolders();
  const line: CommandLine = {
    env: environment(folders),
    cwd: folders.project,
    stdin: Readable.from([JSON.stringify({ session_id: "s1", cwd: folders.project })]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    logger: silentLogger,
    furtherOperations: [],
    reader: "model",
    signal: new AbortController().signal,
  };
  const options = { [flag]: "60000", afterwards: () => undefined };
  const run = await readHookRun(line, ["claude-code", "prompt"], options);
  expect(run.recallTimeoutMs).toBe(60_000);
});

/** The hook bundle excludes modules for writing; requiring one would fail. */
it.each([
  ["session-start", {}],
  [
    "prompt",
    { prompt: "Why were customers charged twice? token: ghp_abcdefghijklmnopqrstuvwxyz0123456789" },
  ],
  [
    "tool",
    {
      tool_name: "Edit",
      tool_input: { file_path: "src/payments/gateway.ts", old_string: "a", new_string: "b" },
    },
  ],
])("the hook program contains every operation that %s needs", async (event, input) => {
  const folders = createCliFolders();
  await runInProcess(folders, ["apply", resolve("examples/first-memory.changeset")]);
  const args = ["hook", "claude-code", event, "--debug", "--patience", "60000"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["-e", START, "--", "cairn", ...args, "--data-dir", folders.dataDir],
    {
      cwd: folders.project,
      env: { PATH: process.env.PATH, HOME: folders.home, CAIRN_EMBEDDING_PROVIDER: "none" },
      input: JSON.stringify({ session_id: "s1", cwd: folders.project, ...input }),
      encoding: "utf8",
    },
  );
  expect(stderr).toContain("answered");
  expect(stdout).toContain("additionalContext");
});

it("searches semantically at a prompt without a daemon", async () => {
  const folders = createCliFolders();
  const env = { PATH: process.env.PATH, HOME: folders.home, CAIRN_DATA_DIR: folders.dataDir };
  const cairn = (args: readonly string[], input = "") =>
    spawnSync(process.execPath, [resolve("bin/cairn.js"), ...args], {
      ...{ cwd: folders.project, env, input, encoding: "utf8" as const },
    });
  const content = "Money is stored as integer cents, never as a float.";
  expect(cairn(["remember", content, "-t", "decision"]).stderr).toBe("");
  cairn(["reindex"]);
  const prompt = "How are prices represented in the database?";
  const input = JSON.stringify({ session_id: "s1", cwd: folders.project, prompt });
  const { stdout } = cairn(["hook", "claude-code", "prompt", "--timeout", "60000"], input);
  expect(stdout).toContain(content);
});
