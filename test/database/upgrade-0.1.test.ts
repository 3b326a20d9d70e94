import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import { SqliteDatabase } from "../../src/database/index.ts";
import { openMemoryStore } from "../support/memory-server.ts";
import { itOnSqlite } from "../support/on-sqlite.ts";
import { createFileOf01 } from "./support/file-of-0.1.ts";

function schemaOf(path: string) {
  const database = new BetterSqlite3(path, { readonly: true });
  const parts = database
    .prepare("select type, name from sqlite_schema where name not glob 'sqlite_*' order by 1, 2")
    .raw()
    .all();
  const version = database.pragma("user_version", { simple: true });
  database.close();
  return { parts, version };
}

itOnSqlite("reads a file of 0.1 without changing it, also in the background", async () => {
  const path = createFileOf01();
  const before = schemaOf(path);
  const store = openMemoryStore(dirname(path), [], { recallLog: { recalls: 10, days: 1 } });
  const memory = store.open();
  expect(await memory.execute("stats", {})).toMatchObject({ episodes: { total: 1 } });
  const { episodes } = await memory.execute("list_episodes", {});
  expect(episodes).toMatchObject([{ content: "We deploy on Tuesdays" }]);
  await memory.execute("recall", { query: "deploy" }, { surface: "cli" });
  await store.close();
  expect(schemaOf(path)).toEqual(before);
});

itOnSqlite("upgrades a file of 0.1 with the first write to the schema of a new file", async () => {
  const path = createFileOf01();
  const store = openMemoryStore(dirname(path));
  const memory = store.open();
  await memory.execute("remember", { content: "The cache has a limit" });
  expect(await memory.execute("stats", {})).toMatchObject({ episodes: { total: 2 } });
  await store.close();
  const newPath = `${path}.new`;
  const fresh = new SqliteDatabase({ path: newPath });
  await fresh.write(() => Promise.resolve());
  await fresh.close();
  expect(schemaOf(path)).toEqual(schemaOf(newPath));
});

itOnSqlite("rejects a file from before 0.1 with instructions", async () => {
  const path = createFileOf01();
  const file = new BetterSqlite3(path);
  file.pragma("user_version = 14");
  file.close();
  const store = openMemoryStore(dirname(path));
  onTestFinished(() => store.close());
  await expect(store.open().execute("stats", {})).rejects.toThrow(/before 0\.1 .*import the file/);
  expect(schemaOf(path).version).toBe(14);
});
