import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("lists the servers under a separate heading", async () => {
  const { stdout } = await runInProcess(createCliFolders(), ["--help"]);
  const servers = /\nServers:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? "";
  const named = servers.split("\n").map((row) => row.trim().split(" ")[0]);
  expect(named.sort()).toEqual(["acp", "mcp", "serve", "ui", "ui-server"]);
});

it("accepts -k where help shows --k", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "We deploy on Tuesdays"]);
  const { stdout: help } = await runInProcess(folders, ["recall", "--help"]);
  expect(help).toContain("--k <integer>");
  for (const flag of ["-k", "-n", "--k"]) {
    const found = await runInProcess(folders, ["recall", "deploy", flag, "1"]);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("Tuesdays") });
  }
  const wrong = await runInProcess(folders, ["recall", "deploy", "-k", "many"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("k") });
});
