import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Database } from "../../../src/database/index.ts";
import { episodes } from "../../../src/memory/episodes/episode.table.ts";
import {
  getTextIndex,
  matchTexts,
  rebuildTextIndex,
} from "../../../src/memory/search/match-texts.ts";
import { parseQueryWords } from "../../../src/memory/search/query-words.ts";
import { searchableEpisode } from "../../../src/memory/search/searchable-text.ts";
import type { TextMatch } from "../../../src/memory/search/text-query.ts";
import { forEachBatch } from "../../../src/shared/async.ts";
import { packageRoot } from "../../../src/shared/package.ts";
import {
  describeOnEveryEngine,
  openEmptyDatabase,
} from "../../support/describe-on-every-engine.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";

const NOW = "2026-05-08T00:00:00.000Z";

interface Note {
  readonly content: string;
  readonly entities?: readonly string[];
}

async function fill(database: Database, notes: readonly (string | Note)[]): Promise<void> {
  const rows = notes.map((note, index) => ({
    number: index + 1,
    content: typeof note === "string" ? note : note.content,
    entityNames: typeof note === "string" ? [] : (note.entities ?? []),
  }));
  await database.write(async (tx) => {
    const times = { createdAt: NOW, updatedAt: NOW };
    await forEachBatch(rows, async (slice) => {
      const stored = slice.map(({ number: id, content }) => ({ id, content, episodeType: "note" }));
      await tx.insert(episodes).values(stored.map((row) => ({ ...row, ...times })));
    });
    await getTextIndex(tx).add(
      tx,
      "episode",
      rows.map(({ number, ...words }) => ({
        number,
        text: searchableEpisode({ ...words, assertedBy: null, occurredAt: null }),
      })),
    );
  });
}

function search(
  database: Database,
  query: string,
  among?: readonly number[],
): Promise<TextMatch[]> {
  return database.read(async (tx) => {
    const found = await matchTexts(tx, parseQueryWords(query), [
      { kind: "episode", allowedNumbers: among },
    ]);
    return found.episode;
  });
}

async function readNotes(): Promise<string[]> {
  const folder = join(packageRoot(), "docs", "guides");
  const guides = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  return guides
    .flatMap((guide) => guide.split(/(?<=[.:?])\s+/))
    .filter((note) => /\p{L}/u.test(note));
}

const numbers = (found: readonly TextMatch[]) => found.map(({ number }) => number);

describeOnEveryEngine("the text index", (open) => {
  it("ranks by rarity, frequency, text length and names", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, [
      "the cache of the page is cold",
      "the cache is warm, the cache is large, the cache is ours",
      "a page about nothing in particular that goes on for many more words than the others do",
      { content: "something else", entities: ["Cache"] },
      "nothing of it",
    ]);
    expect(numbers(await search(database, "cache page"))).toEqual([1, 3, 4, 2]);
    expect(numbers(await search(database, "cache"))).toEqual([4, 2, 1]);
  });

  it.each([
    ["Running caches", "the runner runs a cached run"],
    [
      "internationalization of ties, relational hopping",
      "hoping that a relation internationalizes",
    ],
    ["STRASSE nach Köln", "Die Straße nach Koln"],
    ["getUserById", "who calls getUserById and get user"],
    ["記憶庫", "我的記憶庫很大"],
    ["憶庫", "記憶。庫存"],
    ["記", "記"],
    ["ก็", "แล้วก็ไป"],
    ["हिन्दी", "यह हिन्दी है"],
    ["한국어", "한국어를 배운다"],
    ["Datenbankverbindung", "die Datenbankverbindungen der Datenbank"],
    ["TS2345 v1.2.3", "error ts2345 since v1.2.3"],
    ["8 May 2023", "on 8 May 2023 it rained"],
    ["naïve café", "a naive cafe"],
    ["x".repeat(80), `${"x".repeat(80)} is long`],
  ])("finds %j in %j", async (query, content) => {
    await using empty = open();
    await fill(empty.database, ["another note", content, "and one more"]);
    expect(numbers(await search(empty.database, query))).toEqual([2]);
  });

  it("searches for the longest matching prefix of an unknown word", async () => {
    await using empty = open();
    await fill(empty.database, ["Datenbank", "Datenleitung", "Dach"]);
    expect(numbers(await search(empty.database, "Datenbanktreiber"))).toEqual([1]);
    expect(numbers(await search(empty.database, "Dickicht"))).toEqual([]);
  });

  it("searches only within a set of items", async () => {
    await using empty = open();
    await fill(empty.database, ["alpha", "alpha", "alpha", "beta"]);
    expect(numbers(await search(empty.database, "alpha", [1, 3, 4]))).toEqual([3, 1]);
    expect(numbers(await search(empty.database, "alphabets", [2]))).toEqual([2]);
  });

  it("finds an old item with all words below thousands of newer ones with one", async () => {
    await using empty = open();
    const newer = Array.from({ length: 3100 }, () => ["alpha alone", "beta alone"]).flat();
    await fill(empty.database, ["alpha and beta", ...newer]);
    expect((await search(empty.database, "alpha beta"))[0]?.number).toBe(1);
  });

  it("does not find removed items", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, ["alpha beta", "alpha", "beta", "gamma gamma"]);
    await database.write((tx) => getTextIndex(tx).remove(tx, "episode", [1, 4, 77]));
    expect(numbers(await search(database, "alpha gamma beta"))).toEqual([3, 2]);
  });

  it("reports which words an item contains", async () => {
    await using empty = open();
    await fill(empty.database, ["Caches 記憶庫", "nothing"]);
    const words = ["cache", "記 憶", "憶 記", "nothing", "庫"];
    const held = (number: number) =>
      empty.database.read((tx) =>
        getTextIndex(tx).loadContainedWords(tx, { kind: "episode", number }, words),
      );
    expect(await held(1)).toEqual(["cache", "記 憶", "庫"]);
    expect(await held(2)).toEqual(["nothing"]);
  });

  it("is empty after a rebuild and valid once it contains the items' words", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, ["alpha", "beta"]);
    const problems = () =>
      database.write((tx) => getTextIndex(tx).findProblems(tx, "episode", { words: true }));
    expect(await problems()).toEqual([]);
    await database.write((tx) => getTextIndex(tx).rebuild(tx, "episode"));
    expect(await search(database, "alpha")).toEqual([]);
    expect(await problems()).toEqual([
      expect.objectContaining({ problem: "Active episodes are missing from the text index." }),
      expect.objectContaining({ count: 2 }),
    ]);
    await database.write((tx) => rebuildTextIndex(tx, "episode"));
    expect(await problems()).toEqual([]);
    expect(numbers(await search(database, "alpha"))).toEqual([1]);
  });

  it("reports words of changed and missing items", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, ["alpha", "beta", "gamma"]);
    await database.write(async (tx) => {
      await tx.update(episodes).set({ content: "delta delta" }).where(eq(episodes.id, 1));
      await tx.update(episodes).set({ deletedAt: NOW }).where(eq(episodes.id, 2));
    });
    const problems = await database.write((tx) =>
      getTextIndex(tx).findProblems(tx, "episode", { words: true }),
    );
    expect(problems).toMatchObject([
      { problem: "The text index contains episodes that are deleted or missing.", examples: ["2"] },
      { problem: "The text index disagrees with the texts of episodes.", examples: ["ep:1"] },
    ]);
  });
});

describeOnPostgres("the ranking of both engines", () => {
  it("is equal to the last significant digit", async () => {
    const notes = await readNotes();
    await using sqlite = openEmptyDatabase("sqlite");
    await using postgres = openEmptyDatabase("postgres");
    await fill(sqlite.database, notes);
    await fill(postgres.database, notes);
    for (const query of notes.slice(0, 40)) {
      const [expected, found] = [
        await search(sqlite.database, query),
        await search(postgres.database, query),
      ];
      expect(numbers(found)).toEqual(numbers(expected));
      for (const [place, { score }] of found.entries()) {
        expect(score).toBeCloseTo(expected[place]?.score ?? 0, 9);
      }
    }
  });
});
