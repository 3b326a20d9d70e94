// @module-tag long: a damaged database for each check.
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DatabaseBackend, openDatabaseBackend } from "../../../src/database/index.ts";
import {
  createOperations,
  diagnose,
  isDatabaseName,
  openMemory,
  repair,
} from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { expectDefined } from "../../support/defined.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";
import { BREAKAGES_OF_ANY_ENGINE, type Breakage } from "./breakages.ts";
import { ONE_OF_EACH_KIND } from "./filled-memory.ts";

const LIMIT = 180_000;

const BREAKAGES: readonly Breakage[] = [
  ...BREAKAGES_OF_ANY_ENGINE,
  ["a missing text entry", "delete from text_items_episode where number = 3", "text index", true],
  ["missing words", "delete from text_words_episode where number = 3", "text index", true],
  ["an index of no text", "delete from text_words_concept", "text index", true],
  ["a trigger that notes nothing", "drop trigger row_log on facts", "schema", true],
  [
    "a reference to nothing",
    "update episodes set topic_id = 'gone' where id = 1",
    "references",
    false,
  ],
];

describeOnPostgres("the doctor on PostgreSQL", () => {
  let server: ReturnType<typeof takePostgresDatabase>;
  let backend: DatabaseBackend;
  let admin: pg.Client;

  beforeAll(async () => {
    server = takePostgresDatabase();
    backend = openDatabaseBackend({ folder: "", address: server.url, isName: isDatabaseName });
    admin = new pg.Client(server.url);
    await admin.connect();
    const memory = open("template");
    await memory.execute("apply", { changeset: ONE_OF_EACH_KIND.join("\n") });
    await memory.makeMissingVectors();
    await memory.close();
  }, LIMIT);
  afterAll(async () => {
    await admin?.end();
    await backend?.close();
    server?.[Symbol.dispose]();
  }, LIMIT);

  function open(name: string) {
    return openMemory({
      name,
      database: backend.open(name),
      embedder: createWordEmbedder(),
      operations: createOperations(),
      logger: silentLogger,
    });
  }

  /** Bypasses triggers and foreign keys, as a superuser could. */
  async function breakBy(name: string, statement: string): Promise<void> {
    const { rows } = await admin.query<{ number: number }>(
      "select number from cairn.databases where name = $1",
      [name],
    );
    await admin.query(`begin; set local session_replication_role = replica;
      set local search_path = "cairn_${expectDefined(rows[0]).number}"; ${statement}; commit`);
  }

  it("has no findings after regular operations", async () => {
    const memory = open("template");
    expect((await diagnose(memory)).findings).toEqual([]);
    await memory.close();
  });

  it("finds no damage in a copy, which supports semantic search", async () => {
    await backend.copy("template", "whole");
    const memory = open("whole");
    expect((await diagnose(memory)).findings).toEqual([]);
    const { episodes } = await memory.execute("recall", { query: "mails sent again" });
    expect(episodes[0]?.content).toBe("A retry sent 200 mails again");
    await memory.close();
  });

  it.each(BREAKAGES)(
    "finds %s",
    async (name, statement, check, fixable) => {
      const copy = name.replaceAll(/[^a-z]/gi, "-");
      await backend.copy("template", copy);
      await breakBy(copy, statement);
      const memory = open(copy);
      const { findings, ok } = await diagnose(memory);
      expect(ok).toBe(false);
      expect(findings).toEqual(
        expect.arrayContaining([expect.objectContaining({ check, fixable })]),
      );
      if (fixable) {
        const after = await repair(memory);
        expect(after.findings).toEqual([]);
        expect((await diagnose(memory)).findings).toEqual([]);
      }
      await memory.close();
    },
    LIMIT,
  );
});
