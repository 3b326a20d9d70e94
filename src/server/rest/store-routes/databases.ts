import pMap from "p-map";
import { z } from "zod";
import {
  countDatabase,
  DATABASE_NAME,
  diagnose,
  type MemoryStore,
  reindex,
  repair,
} from "../../../memory/index.ts";
import { mayOpen } from "../../../shared/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { bin, binnedDatabase, databaseList, diagnosis, named, reindexed } from "./responses.ts";
import { defineStoreRoute, type StoreCall } from "./store-route.ts";

/** Leaves connections for other requests. */
const MAX_CONCURRENT_COUNTS = 5;

const emptyInput = z.strictObject({});
const name = z.string().meta({ pattern: DATABASE_NAME.source }).describe("Name of a database.");
const path = (rest = "") => `/databases/{name}${rest}`;

export const listDatabases = defineStoreRoute({
  method: "GET",
  path: "/databases",
  id: "list_databases",
  summary: "List the databases of the data directory with their counts",
  output: databaseList,
  body: emptyInput,
  // The response lists only databases that the caller may access.
  databases: () => [],
  async serve({ store, db, caller }) {
    store.open(db);
    const visible = (await store.list()).filter((info) => mayOpen(caller, info.name));
    const databases = await pMap(
      visible,
      async (info) => ({
        ...info,
        is_default: info.name === store.defaultDatabase,
        counts: (await countDatabase(store.open(info.name))) ?? null,
      }),
      { concurrency: MAX_CONCURRENT_COUNTS },
    );
    const total = databases.length;
    return { databases, total, page: 1, limit: Math.max(total, 1) };
  },
});

export const createDatabase = defineStoreRoute({
  method: "POST",
  path: "/databases",
  id: "create_database",
  summary: "Create an empty database",
  output: named,
  body: z.strictObject({ name }),
  async serve({ store, input }) {
    await store.create(input.name);
    return { name: input.name };
  },
});

const newNameInput = (act: (store: MemoryStore, from: string, to: string) => Promise<unknown>) => ({
  method: "POST" as const,
  output: named,
  body: z.strictObject({ to: name }),
  async serve({ store, name: from, input }: StoreCall<{ to: string }>) {
    await act(store, from, input.to);
    return { name: input.to };
  },
});

export const renameDatabase = defineStoreRoute({
  ...newNameInput((store, from, to) => store.rename(from, to)),
  path: path("/rename"),
  id: "rename_database",
  summary: "Rename a database that is not in use",
});

export const copyDatabase = defineStoreRoute({
  ...newNameInput((store, from, to) => store.copy(from, to)),
  path: path("/copy"),
  id: "copy_database",
  summary: "Copy a database (consistent snapshot)",
});

export const deleteDatabase = defineStoreRoute({
  method: "DELETE",
  path: path(),
  id: "delete_database",
  summary: "Move a database to the bin; `POST /bin/{id}/restore` restores it",
  output: binnedDatabase,
  body: emptyInput,
  serve: ({ store, name: deleted }) => store.remove(deleted),
});

export const listBin = defineStoreRoute({
  method: "GET",
  path: "/bin",
  id: "list_bin",
  summary: "List the databases in the bin",
  output: bin,
  body: emptyInput,
  serve: async ({ store }) => ({ databases: await store.bin() }),
});

export const restoreDatabase = defineStoreRoute({
  method: "POST",
  path: "/bin/{id}/restore",
  id: "restore_database",
  summary: "Restore a database from the bin, optionally under another name",
  output: named,
  body: z.strictObject({ to: name.optional() }),
  async serve({ store, name: id, input }) {
    return { name: await store.restore(id, input.to) };
  },
});

export const doctorDatabase = defineStoreRoute({
  method: "POST",
  path: path("/doctor"),
  id: "doctor_database",
  summary: "Check a database for damage; `fix` repairs it",
  output: diagnosis,
  body: z.strictObject({ fix: z.boolean().default(false) }),
  changes: ({ fix }) => fix,
  databases: ({ name }) => [name],
  isLong: true,
  serve: async ({ store, name: database, input, signal, onProgress }) =>
    (input.fix ? repair : diagnose)(await requireExistingDatabase(store, database), {
      signal,
      onProgress,
    }),
});

export const reindexDatabase = defineStoreRoute({
  method: "POST",
  path: path("/reindex"),
  id: "reindex_database",
  summary: "Rebuild the text index and vectors of a database",
  output: reindexed,
  body: emptyInput,
  databases: ({ name: indexed }) => [indexed],
  isLong: true,
  serve: async ({ store, name: indexed, signal, onProgress }) =>
    reindex(await requireExistingDatabase(store, indexed), { signal, onProgress }),
});

export async function requireExistingDatabase(store: MemoryStore, name: string) {
  const memory = store.open(name);
  if (await memory.isThere()) return memory;
  throw notFound(`There is no database "${name}".`);
}
