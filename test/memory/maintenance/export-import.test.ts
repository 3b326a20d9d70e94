import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SqliteDatabase } from "../../../src/database/index.ts";
import {
  createOperations,
  diagnose,
  exportDatabase,
  importDatabase,
  type MemoryEngine,
  openMemory,
} from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { readLines } from "../../../src/shared/read-lines.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { fillTemplate, openCopy } from "./filled-memory.ts";

let template: Awaited<ReturnType<typeof fillTemplate>>;
let folder: string;
beforeAll(async () => {
  template = await fillTemplate();
  folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
});
afterAll(() => {
  template.remove();
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
function newMemory(): MemoryEngine {
  made += 1;
  return openMemory({
    name: `m${made}`,
    database: new SqliteDatabase({ path: join(folder, `m${made}.db`) }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    readsAsEmpty: true,
  });
}

async function exported(memory: MemoryEngine): Promise<string> {
  const chunks: string[] = [];
  await exportDatabase(memory, async (chunk) => void chunks.push(chunk));
  return chunks.join("");
}

async function* inChunks(text: string, size = 7919): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

/** Converts an export to format version 1, which has no checksum trailer. */
function removeTrailer(text: string): string[] {
  const [, ...rows] = text.trim().split("\n").slice(0, -1);
  return ['{"format":"cairn-export","version":1}', ...rows];
}

async function failureOf(text: string): Promise<string> {
  const memory = newMemory();
  try {
    const failing = importDatabase(memory, readLines(inChunks(text)));
    const error = await failing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "invalid_input" });
    expect(await memory.isThere()).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
    return (error as Error).message;
  } finally {
    await memory.close();
  }
}

describe("a database that was exported", () => {
  it("does not reuse numbers of undone sources, passages or proposals", async () => {
    const [memory, other] = [newMemory(), newMemory()];
    const source = (key: string) => ({
      ...{ kind: "file", key },
      passages: [{ key: "a", by: "user", text: "One", occurred_at: "2026-03-01" }],
    });
    try {
      await memory.execute("read_source", source("first"));
      await memory.execute("propose", { content: "One thing" });
      await memory.execute("undo", { since: "change:0" });
      await importDatabase(other, readLines(inChunks(await exported(memory))));
      expect(await other.execute("read_source", source("next"))).toMatchObject({ id: "source:2" });
      expect(await other.execute("get_passage", { passage_id: "passage:2" })).toBeTruthy();
      const proposed = await other.execute("propose", { content: "Another thing" });
      expect(proposed).toMatchObject({ id: "proposal:2" });
    } finally {
      await memory.close();
      await other.close();
    }
  });

  it("is the same after an import: every record, the feed, the keys and the next number", async () => {
    await using copy = openCopy(template.path);
    await copy.memory.execute("remember", { content: "once", idempotency_key: "k1" });
    const text = await exported(copy.memory);
    const other = newMemory();
    try {
      expect(await importDatabase(other, readLines(inChunks(text, 3)))).toBe(
        text.trim().split("\n").length - 2,
      );
      expect(await exported(other)).toBe(text);
      expect((await diagnose(other)).findings).toEqual([]);
      const scopes =
        "bootstrap recent:50 pending conflicts labels stats events entity:file:src/a.ts";
      expect(await other.execute("snapshot", { scopes })).toEqual(
        await copy.memory.execute("snapshot", { scopes }),
      );
      const again = { content: "once", idempotency_key: "k1" };
      expect(await other.execute("remember", again)).toMatchObject({ id: "ep:8" });
      expect(await other.execute("remember", { content: "next" })).toMatchObject({ id: "ep:9" });
      expect((await other.execute("recall", { query: "mails" })) as object).toMatchObject({
        episodes: expect.arrayContaining([expect.objectContaining({ id: "ep:5" })]),
      });
    } finally {
      await other.close();
    }
  });

  it("is the same whatever was done to it", async () => {
    const word = fc
      .string({
        unit: fc.constantFrom("a", "b ", "\u2028", "\n", "é", "記", '"', "\\", "\u0000", "{"),
        minLength: 1,
        maxLength: 12,
      })
      .filter((text) => text.trim() !== "");
    const entity = fc.constantFrom("person:Ada", "tool:sqlite", "file:src/a b.ts", "project:x");
    const number = fc.integer({ min: 1, max: 8 });
    const call = fc.oneof(
      fc.record({
        op: fc.constant("remember"),
        content: word,
        episode_type: fc.constantFrom("fact", "observation"),
        entities: fc.array(entity, { maxLength: 2 }),
        metadata: fc.dictionary(
          fc.constantFrom("a", "1", "__proto__"),
          fc.jsonValue({ maxDepth: 1 }),
          { maxKeys: 2 },
        ),
      }),
      fc.record({
        op: fc.constant("supersede"),
        old: number.map((n) => `fact:${n}`),
        new: number.map((n) => `fact:${n}`),
      }),
      fc.record({
        op: fc.constant("open_conflict"),
        fact_a: number.map((n) => `fact:${n}`),
        fact_b: number.map((n) => `fact:${n}`),
      }),
      fc.record({ op: fc.constant("dismiss_conflict"), conflict_id: fc.constant("conflict:1") }),
      fc.record({ op: fc.constant("delete"), id: number.map((n) => `ep:${n}`) }),
      fc.record({ op: fc.constant("restore"), id: number.map((n) => `ep:${n}`) }),
      fc.record({
        op: fc.constant("update_episode"),
        episode_id: number.map((n) => `ep:${n}`),
        content: word,
      }),
      fc.record({
        op: fc.constant("update_episode"),
        episode_id: number.map((n) => `ep:${n}`),
        entities: fc.array(entity, { maxLength: 2 }),
      }),
      fc.record({
        op: fc.constant("label"),
        id: number.map((n) => `ep:${n}`),
        key: fc.constantFrom("a", "b"),
        value: word,
      }),
      fc.record({
        op: fc.constant("create_concept"),
        title: word,
        from: number.map((n) => `ep:${n}`),
      }),
      fc.record({
        op: fc.constant("entity_relation"),
        source: entity,
        target: entity,
        relation: fc.constant("uses"),
      }),
      fc.record({ op: fc.constant("processed"), ids: number.map((n) => `ep:${n}`) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 25 }), async (calls) => {
        const memory = newMemory();
        const other = newMemory();
        try {
          await memory.execute("remember", { content: "the first" });
          for (const { op, ...input } of calls) {
            // Expected errors must leave no trace in the export.
            await memory.execute(op, input).catch((error: unknown) => {
              expect(error).toHaveProperty(
                "code",
                expect.stringMatching(/^(invalid_input|not_found|conflict)$/),
              );
            });
          }
          expect((await diagnose(memory)).findings).toEqual([]);
          const text = await exported(memory);
          await importDatabase(other, readLines(inChunks(text)));
          expect(await exported(other)).toBe(text);
          expect((await diagnose(other)).findings).toEqual([]);
        } finally {
          await memory.close();
          await other.close();
        }
      }),
      { numRuns: 6 },
    );
  }, 180_000);
});

describe("an import", () => {
  it("names the invalid line and stores nothing", async () => {
    await using copy = openCopy(template.path);
    const lines = removeTrailer(await exported(copy.memory));
    const changed = (number: number, line: string) =>
      lines.map((text, index) => (index === number - 1 ? line : text)).join("\n");
    const at = lines.findIndex((line) => line.includes('"table":"episodes"')) + 1;
    const row = JSON.parse(lines[at - 1] ?? "").row;
    const episode = (change: object) =>
      JSON.stringify({ table: "episodes", row: { ...row, ...change } });

    expect(await failureOf(changed(at, "{"))).toMatch(`line ${at}: is not JSON`);
    expect(await failureOf(changed(at, "[]"))).toMatch(`line ${at}: must be a JSON object`);
    expect(await failureOf(changed(at, '{"table":"episode","row":{}}'))).toMatch(
      `line ${at}: table: there is no table "episode". Did you mean "episodes"?`,
    );
    expect(await failureOf(changed(at, '{"table":"episodes","row":{"id":1}}'))).toMatch(
      `line ${at}: row: lacks "content"`,
    );
    expect(await failureOf(changed(at, episode({ extra: 1 })))).toMatch(
      `line ${at}: row: unknown field "extra"`,
    );
    expect(await failureOf(changed(at, episode({ content: 5 })))).toMatch(
      `line ${at}: row: content must be text`,
    );
    expect(await failureOf(changed(at, episode({ created_at: "yesterday" })))).toMatch(
      `line ${at}: row: created_at must be a time`,
    );
    expect(await failureOf(changed(at, episode({ priority: "p9" })))).toMatch(
      `line ${at}: row: CHECK constraint failed`,
    );
    expect(await failureOf(changed(at, episode({ id: 900 })))).toMatch(
      /^line \d+: row: episodes must be numbered/,
    );
    expect(await failureOf(changed(at, episode({ topic_id: "gone" })))).toMatch(
      `line ${at}: row: refers to a row of topics`,
    );
    expect(await failureOf(changed(1, '{"format":"x"}'))).toMatch("line 1: must be the header");
    expect(await failureOf(changed(1, '{"format":"cairn-export","version":99}'))).toMatch(
      "Update cairn",
    );
    expect(await failureOf("")).toMatch("line 1: must be the header");
    const withoutEvent = lines.filter((line) => !line.includes('"table":"events","row":{"seq":3,'));
    expect(await failureOf(withoutEvent.join("\n"))).toMatch("is inconsistent: Events are missing");
  });

  it("rejects a truncated or modified file", async () => {
    await using copy = openCopy(template.path);
    const text = await exported(copy.memory);
    const lines = text.trim().split("\n");
    for (const retainedCount of [lines.length - 1, lines.length - 2, 20, 1]) {
      expect(await failureOf(`${lines.slice(0, retainedCount).join("\n")}\n`)).toMatch(
        `line ${retainedCount}: the file is truncated`,
      );
    }
    expect(await failureOf(text.replace("Jobs run on Redis", "Jobs run on Kafka"))).toMatch(
      "checksum does not match",
    );
    const short = lines.filter((_line, index) => index !== lines.length - 2);
    expect(await failureOf(short.join("\n"))).toMatch(
      `${lines.length - 2} rows were written and ${lines.length - 3} are there`,
    );
    expect(await failureOf(`${text}${lines[3]}\n`)).toMatch("is after the end");
    expect(await failureOf(`${text}${lines.at(-1)}\n`)).toMatch("is after the end");
  });

  it("accepts other line breaks and exports without a trailer", async () => {
    await using copy = openCopy(template.path);
    const text = await exported(copy.memory);
    for (const variant of [text.replaceAll("\n", "\r\n"), removeTrailer(text).join("\n")]) {
      const other = newMemory();
      try {
        await importDatabase(other, readLines(inChunks(variant)));
        expect(await exported(other)).toBe(text);
      } finally {
        await other.close();
      }
    }
  });

  it("applies the input rules to each row", async () => {
    await using copy = openCopy(template.path);
    const lines = removeTrailer(await exported(copy.memory));
    const changed = (table: string, change: (row: Record<string, unknown>) => object) => {
      const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
      const { row } = JSON.parse(lines[at] ?? "") as { row: Record<string, unknown> };
      const line = JSON.stringify({ table, row: { ...row, ...change(row) } });
      return failureOf(lines.map((text, index) => (index === at ? line : text)).join("\n"));
    };
    const deep = JSON.parse(`${'{"a":'.repeat(300)}1${"}".repeat(300)}`);
    const at = lines.findIndex((line) => line.includes('"metadata":{"n":1}'));
    const deepest = `"metadata":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const text = (lines[at] ?? "").replace('"metadata":{"n":1}', deepest);
    expect(await failureOf(lines.toSpliced(at, 1, text).join("\n"))).toMatch("nested deeper");
    expect(await changed("entities", () => ({ type: "alien" }))).toMatch(/row: type .*"tool"/);
    expect(await changed("entities", () => ({ key: "other" }))).toMatch("row: key must be");
    expect(await changed("entities", () => ({ name: " " }))).toMatch("has no name");
    expect(await changed("episode_labels", () => ({ key: "a=b" }))).toMatch('cannot contain "="');
    expect(await changed("concept_labels", () => ({ value: "" }))).toMatch("has no value");
    expect(await changed("topics", () => ({ id: "a b c" }))).toMatch("row: id must be lower-case");
    expect(await changed("topics", () => ({ id: "" }))).toMatch("row: id must be lower-case");
    expect(await changed("episodes", () => ({ content: " " }))).toMatch(
      "content must not be blank",
    );
    expect(await changed("episodes", () => ({ content: "x".repeat(2 ** 20 + 1) }))).toMatch(
      "row: content: must have at most 1048576 bytes",
    );
    expect(await changed("episodes", ({ id }) => ({ plan_id: id }))).toMatch(
      "plan_id must not name the row itself",
    );
    expect(await changed("episodes", () => ({ metadata: deep }))).toMatch("nested deeper");
    expect(await changed("events", () => ({ payload: deep }))).toMatch("nested deeper");
    expect(await changed("concepts", ({ id }) => ({ merged_into: id }))).toMatch(
      "merged_into must not name the row itself",
    );
    expect(await changed("concepts", () => ({ title: " " }))).toMatch("title must not be blank");
  });

  it("never overwrites existing data", async () => {
    await using copy = openCopy(template.path);
    const text = await exported(copy.memory);
    await expect(importDatabase(copy.memory, readLines(inChunks(text)))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("is not empty"),
    });
    expect(await exported(copy.memory)).toBe(text);
  });
});

it("an export leaves out the rows that are damaged, and names them", async () => {
  await using test = createTestMemory();
  await test.call("remember", { content: "first" });
  await test.call("remember", { content: "second", metadata: { n: 1 } });
  await test.call("remember", { content: "third" });
  await (await getSqliteDatabase(test.memory)).maintain((connection) =>
    connection.exec("update episodes set metadata = '{' where id = 2"),
  );
  const unreadable: string[] = [];
  let text = "";
  await exportDatabase(
    test.memory,
    async (chunk) => {
      text += chunk;
    },
    { onUnreadable: (row) => unreadable.push(row) },
  );
  expect(unreadable).toEqual(["episodes 2"]);
  expect(text).toContain("first");
  expect(text).toContain("third");
});

it("skips a damaged page in an export, whose result can be imported", async () => {
  await using test = createTestMemory();
  const lines = Array.from(
    { length: 700 },
    (_, n) => `remember e=tool:t${n} "note ${n} ${"x".repeat(90)}"`,
  );
  await test.apply(...lines);
  const database = await getSqliteDatabase(test.memory);
  const page = await database.maintain((connection) => {
    connection.pragma("wal_checkpoint(truncate)");
    const found = connection
      .prepare(
        "select pageno from dbstat where name = 'episodes' and pagetype = 'leaf' order by path",
      )
      .pluck()
      .all() as number[];
    return found[Math.floor(found.length / 2)] ?? 0;
  });
  await test.memory.close();
  const file = openSync(database.path, "r+");
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
  closeSync(file);

  await using damaged = createTestMemory({ folder: test.folder });
  const leftOut: string[] = [];
  let text = "";
  const rows = await exportDatabase(
    damaged.memory,
    async (chunk) => {
      text += chunk;
    },
    { onUnreadable: (some) => leftOut.push(some) },
  );
  expect(leftOut).toEqual([expect.stringMatching(/^episodes \d+ to \d+$/)]);
  const [from = 0, to = 0] = (leftOut[0]?.match(/\d+/g) ?? []).map(Number);
  expect(to - from).toBeLessThan(60);
  for (let n = 1; n <= 700; n += 1) {
    expect(text.includes(`"content":"note ${n - 1} `), `note ${n - 1}`).toBe(n < from || n > to);
  }

  const other = newMemory();
  try {
    const messages: string[] = [];
    const work = { onIncomplete: (sentence: string) => messages.push(sentence) };
    const taken = await importDatabase(other, readLines(inChunks(text)), work);
    expect(taken).toBeLessThan(rows);
    expect(messages).toEqual([expect.stringContaining("is incomplete")]);
    const { episodes } = (await other.execute("recall", { query: "note 5" })) as {
      episodes: { id: string }[];
    };
    expect(episodes.map(({ id }) => id)).toContain("ep:6");
  } finally {
    await other.close();
  }
});
