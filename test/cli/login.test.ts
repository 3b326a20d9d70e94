import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("stores a piped key, uses its service by default, and deletes it", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const folders = createCliFolders();
  const login = await runInProcess(folders, ["login", "groq"], { stdin: "gsk-secret\n" });
  expect(login).toMatchObject({ code: 0 });
  expect(login.stdout).toMatch(
    /^The key is stored in .*keys\.json, readable only by you\. Groq is now in use/,
  );
  expect(login.stdout + login.stderr).not.toContain("gsk-secret");
  const config = JSON.parse(readFileSync(join(folders.home, ".config/cairn/config.json"), "utf8"));
  expect(config).toEqual({ provider: "groq" });
  const result = await runInProcess(folders, ["config"]);
  expect(result.stdout).not.toContain("gsk-secret");
  const second = await runInProcess(folders, ["login", "mistral", "--json"], { stdin: "m-secret" });
  expect(JSON.parse(second.stdout)).toMatchObject({ service: "mistral" });
  expect(await runInProcess(folders, ["logout", "groq"])).toMatchObject({ code: 0 });
  expect((await runInProcess(folders, ["logout", "groq"])).stderr).toContain(
    "No key is stored for groq",
  );
  vi.unstubAllEnvs();
});

it("lists providers, rejects an empty key, and refuses an agent's command", async () => {
  const folders = createCliFolders();
  const unknown = await runInProcess(folders, ["login", "grok"]);
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toMatch(/"grok" is not a model provider\. Did you mean "groq"\?/);
  const empty = await runInProcess(folders, ["login", "groq"], { stdin: "\n" });
  expect(empty.stderr).toContain("No key was entered");
});
