import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const START = `
  const file = ${JSON.stringify(resolve("dist/hook.cjs"))};
  const { Script } = require("node:vm");
  const program = new Script(require("node:fs").readFileSync(file, "latin1")).runInThisContext();
  program({}, require("node:module").createRequire(file), {}, file, require("node:path").dirname(file));
`;

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
  const place = createCliFolders();
  await runInProcess(place, ["apply", resolve("examples/first-memory.changeset")]);
  const args = ["hook", "claude-code", event, "--debug", "--patience", "60000"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["-e", START, "--", "cairn", ...args, "--data-dir", place.dataDir],
    {
      cwd: place.project,
      env: { PATH: process.env.PATH, HOME: place.home, CAIRN_EMBEDDING_PROVIDER: "none" },
      input: JSON.stringify({ session_id: "s1", cwd: place.project, ...input }),
      encoding: "utf8",
    },
  );
  expect(stderr).toContain("answered");
  expect(stdout).toContain("additionalContext");
});

it("searches semantically at a prompt without a daemon", async () => {
  const place = createCliFolders();
  const env = { PATH: process.env.PATH, HOME: place.home, CAIRN_DATA_DIR: place.dataDir };
  const cairn = (args: readonly string[], input = "") =>
    spawnSync(process.execPath, [resolve("bin/cairn.js"), ...args], {
      ...{ cwd: place.project, env, input, encoding: "utf8" as const },
    });
  const content = "Money is stored as integer cents, never as a float.";
  expect(cairn(["remember", content, "-t", "decision"]).stderr).toBe("");
  cairn(["reindex"]);
  const prompt = "How are prices represented in the database?";
  const input = JSON.stringify({ session_id: "s1", cwd: place.project, prompt });
  const { stdout } = cairn(["hook", "claude-code", "prompt", "--patience", "60000"], input);
  expect(stdout).toContain(content);
});
