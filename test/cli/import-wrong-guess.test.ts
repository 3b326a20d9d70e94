// @module-tag long: runs each importer on each file.
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WRITTEN_SOURCES } from "../../src/cli/import/import-sources.ts";
import {
  importerNamed,
  importerNames,
  openImportInput,
  planImport,
} from "../../src/ingest/importers/index.ts";
import { SESSION_FOLDERS } from "../../src/ingest/sources/index.ts";
import { isCairnError } from "../../src/shared/errors.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { sample } from "../ingest/importers/import-sample.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";
import { createTestMemory } from "../support/test-memory.ts";

const LIMIT = 180_000;
const samples = readdirSync(sample("")).filter((name) => !name.endsWith(".sql"));

describe.each(samples)("%s with a wrong --from", (name) => {
  it("is rejected, read, or skipped with a reason by each importer", {
    timeout: LIMIT,
  }, async () => {
    await using testMemory = createTestMemory();
    const silent: string[] = [];
    for (const from of importerNames) {
      const input = await openImportInput(sample(name));
      const importer = importerNamed(from);
      const work = { memory: testMemory.memory, importer, input, options: {} };
      const plan = await planImport(work).catch((error: unknown) => {
        expect(error).toSatisfy(isCairnError);
        return undefined;
      });
      const { added = 1, skipped = 0 } = plan?.report ?? {};
      if (added + skipped === 0 && !input.isFolder) silent.push(from);
    }
    expect(silent).toEqual([]);
  });
});

it(
  "a folder without records of the given tool is reported",
  async () => {
    const folder = sample("remind-memory");
    const ofProject = ["git", "decisions"];
    const tools = [...importerNames, ...WRITTEN_SOURCES].filter(
      (name) => !ofProject.includes(name),
    );
    for (const from of tools.filter((name) => name !== "remind")) {
      const { code, stderr } = await runInProcess(createCliFolders(), [
        "import",
        "--from",
        from,
        folder,
        "--json",
      ]);
      const output = code === 0 ? stderr : "refused";
      expect([from, output]).toEqual([from, expect.stringMatching(/\S/)]);
    }
  },
  LIMIT,
);

const SESSIONS: Readonly<Record<string, string>> = {
  "rollout-1.jsonl": [
    { type: "session_meta", payload: { id: "c-1", cwd: "/work/shop" } },
    {
      type: "response_item",
      payload: {
        ...{ type: "message", role: "user" },
        content: [{ type: "input_text", text: "Round once, at the end." }],
      },
    },
  ]
    .map((record) => `${JSON.stringify({ timestamp: "2026-03-01T09:00:00Z", ...record })}\n`)
    .join(""),
  "gemini.json": JSON.stringify({
    sessionId: "g-1",
    messages: [
      { id: "m1", type: "user", content: "Round once.", timestamp: "2026-03-01T09:00:00Z" },
    ],
  }),
};

it("a session file is rejected with the right command, which works", async () => {
  const folders = createCliFolders();
  for (const [name, text] of Object.entries(SESSIONS))
    writeFileSync(join(folders.project, name), text);
  cpSync(
    join(packageRoot(), "examples/a-decision/monday.jsonl"),
    join(folders.project, "monday.jsonl"),
  );
  for (const name of [...Object.keys(SESSIONS), "monday.jsonl"]) {
    const refused = await runInProcess(folders, ["import", name]);
    expect([name, refused.code]).toEqual([name, 2]);
    expect(refused.stderr).toContain(`${name} is an agent session`);
    for (const client of Object.keys(SESSION_FOLDERS)) expect(refused.stderr).toContain(client);
  }
  const read = await runInProcess(folders, ["import", "--from", "codex", "rollout-1.jsonl"]);
  expect(read.stdout).toContain("Read 1 new passage");
});
