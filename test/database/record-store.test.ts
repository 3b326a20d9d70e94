import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DatabaseBackend, openDatabaseBackend } from "../../src/database/index.ts";
import { describeOnPostgres, takePostgresDatabase } from "../support/postgres/test-database.ts";

const isName = () => true;

describe("records in a folder", () => {
  testRecords(() => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-records-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return () => openDatabaseBackend({ folder, address: undefined, isName });
  });
});

describeOnPostgres("records on PostgreSQL", () => {
  testRecords(() => {
    const database = takePostgresDatabase();
    onTestFinished(() => database[Symbol.dispose]());
    return () => openDatabaseBackend({ folder: "", address: database.url, isName });
  });
});

/** `somewhere` creates a backend; its result opens the backend again, like another process. */
function testRecords(somewhere: () => () => DatabaseBackend): void {
  const opened = () => {
    const open = somewhere();
    return () => {
      const backend = open();
      onTestFinished(() => backend.close());
      return backend.records;
    };
  };

  it("is empty before the first write", async () => {
    const records = opened()();
    expect(await records.get("fruit", "a")).toBeUndefined();
    expect(await records.list("fruit")).toEqual([]);
    expect([await records.count("fruit"), await records.getAll("fruit", ["a"])]).toEqual([0, []]);
  });

  it("lists a kind by id: a prefix, a part, the number of all", async () => {
    const open = opened();
    const records = open();
    await records.together(async (all) => {
      for (const id of ["b.2", "a.1", "b.10", "c.1", "B.1"]) await all.put("fruit", id, { id });
      await all.put("tree", "b.1", {});
    });
    const ids = async (range?: object) =>
      (await open().list("fruit", range)).map(({ id, value }) => {
        expect(value).toEqual({ id });
        return id;
      });
    expect(await ids()).toEqual(["B.1", "a.1", "b.10", "b.2", "c.1"]);
    expect(await ids({ prefix: "b." })).toEqual(["b.10", "b.2"]);
    expect(await ids({ offset: 1, limit: 2 })).toEqual(["a.1", "b.10"]);
    expect(await ids({ prefix: "b.", offset: 1 })).toEqual(["b.2"]);
    expect([await records.count("fruit"), await records.count("fruit", "b.")]).toEqual([5, 2]);
    const some = await records.getAll("fruit", ["c.1", "x", "a.1"]);
    expect(some.map(({ id }) => id).sort()).toEqual(["a.1", "c.1"]);
    await records.change("fruit", "c.1", () => undefined);
    expect(await open().get("fruit", "c.1")).toBeUndefined();
  });

  it("changes all or none", async () => {
    const open = opened();
    await open().change("fruit", "a", () => ({ n: 1 }));
    const broken = open().together(async (all) => {
      await all.put("fruit", "a", undefined);
      await all.put("fruit", "b", { n: 2 });
      expect(await all.list("fruit")).toEqual([{ id: "b", value: { n: 2 } }]);
      throw new Error("No.");
    });
    await expect(broken).rejects.toThrow("No.");
    expect(await open().list("fruit")).toEqual([{ id: "a", value: { n: 1 } }]);
  });

  it("loses no concurrent change to the same record", async () => {
    const open = opened();
    const several = [open(), open(), open()];
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        several[n % 3]?.change("count", "all", (before) => ({
          n: Number(Reflect.get(before ?? {}, "n") ?? 0) + 1,
        })),
      ),
    );
    expect(await open().get("count", "all")).toEqual({ n: 60 });
  });
}
