import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import DatabaseConstructor from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openMemoryStore } from "../support/memory-server.ts";

let folder: string;
let store: ReturnType<typeof openMemoryStore>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-folder-"));
  store = openMemoryStore(folder);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const names = async () => (await store.list()).map(({ name }) => name);
const remember = (name: string, content: string) =>
  store.open(name).execute("remember", { content });
const contents = async (name: string) => {
  const { episodes } = await store.open(name).execute("list_episodes", {});
  return episodes.map(({ content }) => content);
};

it("creates, renames and copies a database while it is open", async () => {
  await store.create("shop");
  await remember("shop", "one");
  await store.copy("shop", "before");
  await remember("shop", "two");
  await store.rename("shop", "store");
  expect(await names()).toEqual(["before", "store"]);
  expect(await contents("store")).toEqual(["two", "one"]);
  expect(await contents("before")).toEqual(["one"]);
  await remember("store", "three");
  expect(await contents("store")).toHaveLength(3);
});

it("moves a database to the bin and restores it", async () => {
  await remember("shop", "one");
  const { id } = await store.remove("shop");
  expect(await names()).toEqual([]);
  expect(await store.bin()).toMatchObject([{ id, name: "shop" }]);
  await remember("shop", "a new one");
  await expect(store.restore(id, undefined)).rejects.toThrow('a database "shop" already');
  expect(await store.restore(id, "shop-old")).toBe("shop-old");
  expect(await contents("shop-old")).toEqual(["one"]);
  expect(await store.bin()).toEqual([]);
});

it("backs up during writes without overwriting", async () => {
  await remember("shop", "one");
  const other = openMemoryStore(folder);
  const file = join(folder, "copy.sqlite");
  const writes = Array.from({ length: 20 }, (_, n) =>
    other.open("shop").execute("remember", { content: `number ${n}` }),
  );
  await store.backup("shop", file);
  await Promise.all(writes);
  await expect(store.backup("shop", file)).rejects.toThrow("already exists");
  await expect(store.backup("shop", join(folder, "no", "x.db"))).rejects.toThrow("no folder");
  await other.close();
  expect(await contents("shop")).toHaveLength(21);
  expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
});

it("does not touch a database that another process has open", async () => {
  await remember("shop", "one");
  const other = openMemoryStore(folder);
  await other.open("shop").execute("remember", { content: "two" });
  await expect(store.rename("shop", "store")).rejects.toThrow("in use");
  await expect(store.remove("shop")).rejects.toThrow("in use");
  await other.close();
  await store.rename("shop", "store");
  expect(await contents("store")).toEqual(["two", "one"]);
});

it("rejects used, invalid and foreign names without changes", async () => {
  await store.create("shop");
  const other = new DatabaseConstructor(join(folder, "other.db"));
  other.exec("create table notes (text); pragma application_id = 7");
  other.close();
  for (const attempt of [
    () => store.create("shop"),
    () => store.create("SHOP"),
    () => store.create("../shop"),
    () => store.create(""),
    () => store.rename("shop", "a/b"),
    () => store.rename("nothing", "b"),
    () => store.copy("shop", "shop"),
    () => store.copy("nothing", "b"),
    () => store.remove("nothing"),
    () => store.remove("other"),
    () => store.restore("../shop", undefined),
    () => store.restore("shop", undefined),
  ]) {
    await expect(attempt()).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid_input|not_found|conflict)$/),
    });
  }
  expect(await names()).toEqual(["shop"]);
  await store.rename("shop", "Shop");
  expect(await names()).toEqual(["Shop"]);
});
