import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diagnose, repair } from "../../../src/memory/index.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { BREAKAGES_OF_ANY_ENGINE, type Breakage } from "./breakages.ts";
import { fillTemplate, openCopy } from "./filled-memory.ts";

const BREAKAGES: readonly Breakage[] = [
  ...BREAKAGES_OF_ANY_ENGINE,
  ["a missing text entry", "delete from episode_text where rowid = 3", "text index", true],
  [
    "a text entry of nothing",
    "insert into episode_text(rowid, content, context) values (99, 'x', '')",
    "text index",
    true,
  ],
  [
    "a text entry of a deleted episode",
    "insert into episode_text(rowid, content, context) values (7, 'x', '')",
    "text index",
    true,
  ],
  [
    "words of another text",
    "insert or replace into episode_text(rowid, content, context) values (5, 'other words', '')",
    "text index",
    true,
  ],
  [
    "words in another order",
    "insert or replace into concept_text(rowid, content, context) select id, summary || ' ' || title, '' from concepts where type = 'pattern'",
    "text index",
    true,
  ],
  [
    "a vector of a deleted episode",
    "insert into vectors select 'episode', 7, vector, tokens from vectors where kind = 'episode' and item_id = 3",
    "vectors",
    true,
  ],
  [
    "missing signs",
    "update vector_signs set places = substr(places, 2), signs = substr(signs, 1 + length(signs) / length(places)) where kind = 'episode'",
    "vectors",
    true,
  ],
  [
    "other signs",
    "update vectors set vector = (select vector from vectors where kind = 'episode' and item_id = 5) where kind = 'episode' and item_id = 3",
    "vectors",
    true,
  ],
  ["no vector index", "drop table vector_signs", "schema", true],
  [
    "a vector of another length",
    "update vectors set vector = x'01' where kind = 'episode' and item_id = 3",
    "vectors",
    true,
  ],
  ["a wrong entity key", "update facts set entity_key = '7' where id = 2", "facts", true],
  [
    "a feed without its end",
    "delete from events where seq = (select max(seq) from events)",
    "change feed",
    false,
  ],
  [
    "a feed counter that is behind",
    "update sqlite_sequence set seq = 2 where name = 'events'",
    "change feed",
    true,
  ],
  [
    "a feed without a counter",
    "delete from sqlite_sequence where name = 'events'",
    "change feed",
    true,
  ],
  ["a feed without its start", "delete from events where seq <= 2", "change feed", false],
  [
    "an event of nothing",
    "update events set subject_id = 'ep:99' where seq = 5",
    "change feed",
    false,
  ],
  [
    "a deletion that the feed does not tell",
    "update episodes set deleted_at = created_at where id = 6",
    "change feed",
    false,
  ],
  [
    "a successor of an active fact",
    "update facts set superseded_by = 1 where id = 3",
    "facts",
    false,
  ],
  [
    "a fact without a fact episode",
    "update episodes set episode_type = 'meta' where id = 2",
    "facts",
    false,
  ],
  [
    "a reference to nothing",
    "pragma foreign_keys = off; update episodes set topic_id = 'gone' where id = 1; pragma foreign_keys = on",
    "references",
    false,
  ],
  ["a text index without its data", "delete from episode_text_data", "text index", true],
  ["a text index without its settings", "delete from episode_text_config", "text index", true],
  ["a text index without its contents", "delete from episode_text_idx", "text index", true],
  ["no text index", "drop table episode_text", "text index", true],
  ["a vector index without signs", "delete from vector_signs", "vectors", true],
  [
    "a vector index with half of its signs",
    "update vector_signs set signs = substr(signs, 1, 7)",
    "vectors",
    true,
  ],
  [
    "signs that stand there twice",
    "update vector_signs set places = cast(places || places as blob), signs = cast(signs || signs as blob)",
    "vectors",
    true,
  ],
  [
    "signs of what is not there",
    "insert into vector_signs select kind, chunk + 9, revision, places, signs from vector_signs where kind = 'episode'",
    "vectors",
    true,
  ],
  [
    "a trigger of somebody else",
    "create trigger eats_events after insert on events begin delete from events where seq = new.seq - 3; end",
    "schema",
    false,
  ],
  [
    "a missing table",
    "pragma foreign_keys = off; drop table topics; pragma foreign_keys = on",
    "schema",
    false,
  ],
  ["broken JSON in metadata", "update episodes set metadata = '{' where id = 6", "values", false],
  ["broken JSON in an event", "update events set payload = '{' where seq = 3", "values", false],
  [
    "facts that supersede each other",
    "update facts set status = 'superseded', valid_to = created_at, superseded_by = 1 where id = 2",
    "facts",
    true,
  ],
  ["a time that is none", "update facts set valid_from = 'soon' where id = 2", "values", false],
  [
    "a fact that ends before it begins",
    "update facts set valid_from = '2999-01-01T00:00:00.000Z' where id = 1",
    "values",
    false,
  ],
  [
    "too much confidence",
    "pragma ignore_check_constraints = on; update concepts set confidence = 9 where id = 1; pragma ignore_check_constraints = off",
    "values",
    false,
  ],
  [
    "an episode that was remembered twice",
    "insert into events(ts, kind, subject_type, subject_id) select ts, kind, subject_type, subject_id from events where seq = 1",
    "values",
    false,
  ],
  [
    "a concept whose deletion nobody tells",
    "update concepts set deleted_at = created_at where type = 'hypothesis'",
    "change feed",
    false,
  ],
  [
    "a split concept whose deletion nobody tells",
    "update events set payload = json_set(payload, '$.op', 'split') where subject_type = 'concept'; update concepts set deleted_at = created_at where type = 'hypothesis'",
    "change feed",
    false,
  ],
  [
    "a party of an open conflict that a third fact superseded without a word",
    "update facts set status = 'superseded', superseded_by = 2, valid_to = '2999-01-01T00:00:00.000Z' where id = 3",
    "change feed",
    false,
  ],
  [
    "a type of episodes that nobody gave",
    "update episodes set episode_type = 'alien' where id = 6",
    "change feed",
    false,
  ],
  [
    "an entity of no known type",
    "update entities set type = 'alien' where id = 2",
    "entities",
    false,
  ],
  [
    "a loser that is still active",
    "update conflicts set status = 'resolved', winner = fact_a, resolved_at = created_at",
    "conflicts",
    false,
  ],
];

/** The first repairable and irreparable case of each check, for the default run. */
const BASIC = new Set(
  new Map(
    BREAKAGES.toReversed().map(([name, , check, fixable]) => [`${check} ${fixable}`, name]),
  ).values(),
);

let template: Awaited<ReturnType<typeof fillTemplate>>;
beforeAll(async () => {
  template = await fillTemplate();
});
afterAll(() => template.remove());

it("accepts an index of texts without words", async () => {
  await using test = createTestMemory();
  await test.apply('remember "a b c"');
  await test.call("create_concept", { title: "\u0000 !", from: "ep:1" });
  expect((await diagnose(test.memory)).findings).toEqual([]);
});

describe("the doctor", () => {
  it("has no findings after regular operations", async () => {
    await using copy = openCopy(template.path);
    const { memory } = copy;
    expect((await diagnose(memory)).findings).toEqual([]);
  });

  for (const [name, statement, check, fixable] of BREAKAGES) {
    const tags = BASIC.has(name) ? [] : ["long"];
    it(`names ${name}`, { tags }, async () => {
      await using copy = openCopy(template.path);
      const { memory } = copy;
      const database = await getSqliteDatabase(memory);
      await database.maintain((connection) =>
        connection.unsafeMode(true).exec(statement).unsafeMode(false),
      );
      const found = await diagnose(memory);
      const findings = found.findings.filter((finding) => finding.check === check);
      expect(findings.length, JSON.stringify(found.findings)).toBeGreaterThan(0);
      for (const { count, examples } of findings) {
        expect(count).toBeGreaterThan(0);
        expect(examples.length).toBeGreaterThan(0);
      }
      expect(findings.some((finding) => finding.fixable)).toBe(fixable);

      const left = await repair(memory);
      expect(left.findings.filter((finding) => finding.fixable)).toEqual([]);
      expect(left.ok).toBe(fixable);
      if (!fixable) return;
      await memory.makeMissingVectors();
      expect((await diagnose(memory)).findings).toEqual([]);
      const recalled = await memory.execute("recall", { query: "retry mails again" });
      expect(recalled).toMatchObject({ episodes: expect.arrayContaining([expect.anything()]) });
    });
  }

  it("has no findings after merges, splits, reshapes, chains and custom types", async () => {
    await using test = createTestMemory({ episodeTypes: ["ticket", "bug"] });
    await test.apply(
      'remember as=a t=fact e=tool:redis "one"',
      'remember as=b t=fact e=tool:redis "two"',
      'remember as=c t=fact e=tool:redis "three"',
      "conflict fact_a=$a fact_b=$b",
      "supersede old=$a new=$c",
      "conflict as=x fact_a=$b fact_b=$c",
      "resolve id=$x winner=$c",
      'remember as=t t=ticket "four"',
      'remember as=u "five"',
      "update id=$u episode_type=bug",
      'concept as=p title=P from=$t "p"',
      'concept as=q title=Q from=$t "q"',
      'concept as=r title=R from=$t "r"',
      "reshape id=$r type=pattern",
      "split id=$r into=left,right",
      "merge from=$p,$r into=$q",
      'merge from=$q into="A new one"',
    );
    expect((await diagnose(test.memory)).findings).toEqual([]);
    await using plain = createTestMemory({ folder: test.folder });
    expect((await diagnose(plain.memory)).findings).toEqual([]);
  });

  it("reports and removes only the files of killed imports", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "one" });
    const { pid } = spawnSync(process.execPath, ["-e", "0"]);
    const left = [`copy.db.draft-${pid}`, `copy.db.draft-${pid}-wal`];
    const others = [`copy.db.draft-${process.pid}`, `notes.draft-${pid}`];
    for (const name of [...left, ...others]) writeFileSync(join(test.folder, name), "");
    const { findings } = await diagnose(test.memory);
    expect(findings).toMatchObject([{ check: "drafts", count: 2, fixable: true }]);
    expect(findings[0]?.examples.toSorted()).toEqual(left);
    expect((await repair(test.memory)).findings).toEqual([]);
    const names = readdirSync(test.folder);
    expect(names).toEqual(expect.arrayContaining(others));
    for (const name of left) expect(names).not.toContain(name);
  });

  it("never reuses a feed number", async () => {
    await using copy = openCopy(template.path);
    const { memory } = copy;
    const lastSeq = async () => {
      const { events } = (await memory.execute("events", { limit: 1000 })) as {
        events: { seq: number }[];
      };
      return events.at(-1)?.seq ?? 0;
    };
    const before = await lastSeq();
    await (await getSqliteDatabase(memory)).maintain((connection) =>
      connection.exec(`delete from events where seq > ${before - 3}`),
    );
    await repair(memory);
    await memory.execute("remember", { content: "after the loss" });
    expect(await lastSeq()).toBe(before + 1);
  });

  it("changes nothing without fix", async () => {
    await using copy = openCopy(template.path);
    const { memory } = copy;
    const database = await getSqliteDatabase(memory);
    await database.maintain((connection) =>
      connection.exec("delete from episode_text where rowid = 3"),
    );
    await diagnose(memory);
    const rows = await database.read(async (tx) =>
      tx.all(sql`select rowid from episode_text where rowid = 3`),
    );
    expect(rows).toEqual([]);
    expect((await diagnose(memory)).ok).toBe(false);
  });
});
