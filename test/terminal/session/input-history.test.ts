import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createInputHistory,
  type InputHistory,
} from "../../../src/terminal/session/input-history.ts";

let path = "";
let history: InputHistory;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "cairn-history-")), "new", "input-history.jsonl");
  history = createInputHistory(async () => path);
});

describe("the input history", () => {
  it("is empty initially and creates no file on read", async () => {
    expect(await history.load()).toEqual([]);
    expect(() => statSync(path)).toThrow("ENOENT");
  });

  it("preserves lines, quotes and emoji", async () => {
    await history.append('two\nlines "quoted" 👩‍👩‍👧');
    await history.append("next");
    expect(await history.load()).toEqual(['two\nlines "quoted" 👩‍👩‍👧', "next"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("skips a truncated line and keeps the rest", async () => {
    await history.append("whole");
    writeFileSync(path, `${readFileSync(path, "utf8")}"torn half`);
    expect(await history.load()).toEqual(["whole"]);
  });

  it("loses nothing with two concurrent terminals", async () => {
    const other = createInputHistory(async () => path);
    const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((text, index) => (index % 2 ? history : other).append(text)));
    expect([...(await history.load())].sort()).toEqual(texts);
  });

  it("is limited to the latest thousand entries", async () => {
    await history.append("first");
    const many = Array.from({ length: 2000 }, (_, index) => `${JSON.stringify(`t${index}`)}\n`);
    writeFileSync(path, many.join(""));
    const entries = await history.load();
    expect(entries).toHaveLength(1000);
    expect(entries.at(-1)).toBe("t1999");
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(1001);
  });
});
