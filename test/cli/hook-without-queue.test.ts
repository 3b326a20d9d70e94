import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("a session begins with its memory when background work cannot be queued", async () => {
  const folders = createCliFolders();
  mkdirSync(folders.dataDir);
  await runInProcess(folders, ["remember", "Always use pnpm.", "-t", "preference"]);
  writeFileSync(join(folders.dataDir, "queue"), "");
  const event = { session_id: "s", cwd: folders.project, source: "startup" };
  const { code, stdout } = await runInProcess(folders, ["hook", "claude-code", "session-start"], {
    stdin: JSON.stringify(event),
  });
  expect(code).toBe(0);
  expect(stdout).toContain("Always use pnpm.");
});
