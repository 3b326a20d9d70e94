import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildCli } from "../../support/built-cli.ts";
import { createCliFolders, runInProcess } from "../../support/run-cli.ts";

async function connected(args: readonly string[]) {
  const folders = createCliFolders();
  const entry = { command: process.execPath, args: [await buildCli(), "mcp", ...args] };
  mkdirSync(join(folders.home, ".cursor"));
  writeFileSync(
    join(folders.home, ".cursor", "mcp.json"),
    JSON.stringify({ mcpServers: { cairn: entry } }),
  );
  return folders;
}

it("starts the server from the client's entry and reports its memory", async () => {
  const folders = await connected([]);
  await runInProcess(folders, ["remember", "We deploy on Tuesdays", "--db", "shop"]);
  const entry = await connected(["--data-dir", folders.dataDir, "--db", "shop"]);
  const result = await runInProcess(entry, ["connect", "cursor", "--check", "--json"]);
  expect(result).toMatchObject({ code: 0 });
  expect(JSON.parse(result.stdout)).toMatchObject({
    client: "cursor",
    database: "shop",
    episodes: 1,
    concepts: 0,
  });
});

it("reports the server's output if it does not start", async () => {
  const folders = await connected(["--db", "no/such"]);
  const result = await runInProcess(folders, ["connect", "cursor", "--check"]);
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("database name") });
});

it("reports a client that is not connected", async () => {
  const result = await runInProcess(createCliFolders(), ["connect", "zed", "--check"]);
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("cairn connect zed") });
});
