import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WRITTEN_SOURCES } from "../../src/cli/import/import-sources.ts";
import { importerNames } from "../../src/ingest/importers/registry.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

/** A Gemini CLI session: one document that is rewritten as it grows. */
function document(...texts: string[]): string {
  const messages = texts.map((content, index) => ({
    id: `m${index}`,
    type: "user",
    content,
    timestamp: "2026-03-01T09:00:00.000Z",
  }));
  return JSON.stringify({ sessionId: "g-1", messages });
}

it("continues a single-document session without duplicates", async () => {
  const folders = createCliFolders();
  const path = join(folders.home, "session.json");
  const added = async (...texts: string[]) => {
    writeFileSync(path, document(...texts));
    const read = await runInProcess(folders, ["import", "--from", "gemini", path, "--json"]);
    return JSON.parse(read.stdout).added;
  };
  expect(await added("first question asked")).toBe(1);
  expect(await added("first question asked")).toBe(0);
  expect(await added("first question asked", "second question asked")).toBe(1);
});

it("lists every supported tool in help and guide", async () => {
  const { stdout } = await runInProcess(createCliFolders(), ["import", "--help"]);
  const inHelp = new Set(stdout.match(/[a-z0-9]+(-[a-z0-9]+)*/g));
  const inGuide = readFileSync("docs/guides/import.md", "utf8");
  for (const tool of [...importerNames, ...WRITTEN_SOURCES]) {
    expect(inHelp).toContain(tool);
    expect(inGuide).toContain(tool);
  }
});
