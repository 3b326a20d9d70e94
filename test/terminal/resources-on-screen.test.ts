import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();
const small = {
  command: process.execPath,
  args: [resolve("test/agent/support/small-mcp-server.mjs")],
};

it("@ offers server resources next to files", { tags: ["long"] }, async () => {
  writeFileSync(join(stage.project, "desk.md"), "x");
  const terminal = stage.start({ settings: { mcpServers: { desk: small } } });
  await terminal.waitFor("scripted");
  terminal.type("/mcp\r");
  await terminal.waitFor("desk: ");
  for (let tries = 0; tries < 50 && !terminal.all.includes("desk: ● ready"); tries += 1) {
    await terminal.settle();
    terminal.type("/mcp\r");
  }
  await terminal.waitFor("desk: ● ready");
  await terminal.settle();
  terminal.type("read @desk");
  await terminal.waitFor("› desk:notes://today");
  await terminal.waitFor("desk.md");
  terminal.type("\t");
  await terminal.waitFor("› read @desk:notes://today");
});
