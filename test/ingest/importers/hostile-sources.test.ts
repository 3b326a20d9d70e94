import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { importerNames, openImportInput } from "../../../src/ingest/importers/index.ts";
import { isCairnError } from "../../../src/shared/errors.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { importText, sample, sampleDatabase, temporaryFolder } from "./import-sample.ts";

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const record = (fields: object) => JSON.stringify({ id: "1", text: "t", memory: "t", ...fields });

const HOSTILE: readonly (readonly [string, string | Uint8Array])[] = [
  ["nothing", ""],
  ["blanks", " \n\t\n"],
  ["half a JSON object", '{"memories": [{"id": "1", "content": "a'],
  ["half a JSON line", '{"type":"entity","name":"a"'],
  ["null", "null"],
  ["a number", "7"],
  ["an empty list", "[]"],
  ["an empty object", "{}"],
  ["a list of nulls", "[null, null]"],
  ["lists 20 000 deep", deep(20_000)],
  ["a prototype", '{"__proto__": {"x": 1}, "memories": [{"__proto__": {"content": "x"}}]}'],
  ["wrong types", record({ text: { a: 1 }, memory: 9, content: [] })],
  ["half a surrogate pair", record({ text: "\ud800", memory: "\ud800" })],
  ["NUL and escapes", record({ text: "a\u0000b\u001b[31m", memory: "a\u0000b" })],
  ["UTF-16", Buffer.from(`\ufeff${record({})}`, "utf16le")],
  ["Latin-1", Buffer.from('{"text":"Größe"}', "latin1")],
  ["random bytes", Uint8Array.from({ length: 4096 }, (_, n) => (n * 197 + 31) % 256)],
  ["half a ZIP file", zipSync({ "memories.json": Buffer.from("{}") }).subarray(0, 40)],
  ["a ZIP file of something else", zipSync({ "../../etc/passwd": Buffer.from("x") })],
  ["a header of SQLite", Buffer.from("SQLite format 3\0 and nothing more")],
  ["one line of a megabyte", `{"text":"${"x".repeat(1_100_000)}"}`],
  [
    "bad times and labels",
    record({ created_at: "yesterday", date: {}, labels: "=,=", entities: ":" }),
  ],
];

/**
 * One importer that reads lines and one that reads the whole file; `npm run test:long` covers all
 * others.
 */
const BASIC = new Set(["jsonl", "mem0"]);

describe.each(importerNames.map((name) => [name] as const))("%s", (from) => {
  it.each(HOSTILE)(
    "rejects or reads %s",
    { tags: BASIC.has(from) ? [] : ["long"] },
    async (_name, bytes) => {
      await using testMemory = createTestMemory();
      try {
        const report = await importText(testMemory, bytes, { from, conversations: true });
        expect(report.added + report.known + report.skipped).toBeGreaterThanOrEqual(0);
        if (report.added === 0) expect(await testMemory.memory.isThere()).toBe(false);
      } catch (error) {
        expect(error).toSatisfy(isCairnError);
        expect(error).toMatchObject({
          code: "invalid_input",
          message: expect.stringMatching(/file:/),
        });
        expect(await testMemory.memory.isThere()).toBe(false);
      }
    },
  );
});

describe("a path", () => {
  it("must not be a link or device", async () => {
    const folder = temporaryFolder();
    symlinkSync(sample("mem0.json"), join(folder, "link.json"));
    await expect(openImportInput(join(folder, "link.json"))).rejects.toThrow(/links and devices/);
    await expect(openImportInput("/dev/zero")).rejects.toThrow(/links and devices/);
    await expect(openImportInput(join(folder, "none"))).rejects.toThrow(/cannot read/);
  });

  it("does not follow links in a folder", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "secret.md"), "outside");
    symlinkSync(join(folder, "secret.md"), join(folder, "notes", "link.md"));
    symlinkSync(folder, join(folder, "notes", "up"));
    writeFileSync(join(folder, "notes", "a.md"), "inside");
    const files = await (await openImportInput(join(folder, "notes"))).files([".md"]);
    expect(files.map(({ label }) => label)).toEqual(["a.md"]);
  });

  it("does not modify another program's database", async () => {
    await using testMemory = createTestMemory();
    const path = sampleDatabase("remind.sql");
    const before = readFileSync(path);
    const { importPath } = await import("./import-sample.ts");
    await importPath(testMemory, path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
