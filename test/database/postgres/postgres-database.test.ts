import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type Database,
  inSavepoint,
  inSavepointIfPostgres,
  openDatabaseBackend,
  type Tx,
} from "../../../src/database/index.ts";
import { invalidInput } from "../../../src/shared/errors.ts";
import { expectDefined } from "../../support/defined.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

let server: Disposable & { readonly url: string };
let places: ReturnType<typeof openDatabaseBackend>[];

beforeEach(() => {
  server = takePostgresDatabase();
  places = [];
});

afterEach(async () => {
  for (const backend of places) await backend.close();
  server[Symbol.dispose]();
});

/** Each call simulates a separate process. */
function openBackend() {
  const backend = openDatabaseBackend({ folder: "", address: server.url, isName: () => true });
  places.push(backend);
  return backend;
}

const addTopic = (database: Database, id: string) =>
  database.write(async (tx) => {
    await tx.run(sql`insert into topics values (${id}, ${id}, '', '', '')`);
  });
const topics = (database: Database) =>
  database.read(async (tx) => {
    const rows = await tx.all<{ id: string }>(sql`select id from topics order by id`);
    return rows.map(({ id }) => id);
  });

describeOnPostgres("a database on PostgreSQL", () => {
  it("is created by the first successful write", async () => {
    const backend = openBackend();
    const database = backend.open("shop");
    const failing = database.write(async (tx) => {
      await tx.run(sql`insert into topics values ('a', 'a', '', '', '')`);
      throw invalidInput("not like this");
    });
    await expect(failing).rejects.toThrow("not like this");
    expect(await database.exists()).toBe(false);
    await expect(topics(database)).rejects.toMatchObject({ code: "not_found" });
    await addTopic(database, "b");
    expect(await openBackend().open("shop").exists()).toBe(true);
    expect(await topics(database)).toEqual(["b"]);
  });

  it("isolates databases by name", async () => {
    const backend = openBackend();
    await addTopic(backend.open("shop"), "a");
    await addTopic(backend.open("farm"), "b");
    expect(await topics(backend.open("shop"))).toEqual(["a"]);
    expect((await backend.list()).map(({ name }) => name)).toEqual(["farm", "shop"]);
  });

  it("is created once by four concurrent first writers", async () => {
    const databases = ["a", "b", "c", "d"].map((id) => ({
      id,
      database: openBackend().open("new"),
    }));
    await Promise.all(databases.map(({ id, database }) => addTopic(database, id)));
    expect(await topics(expectDefined(databases[0]).database)).toEqual(["a", "b", "c", "d"]);
  });

  it("allows one writer at a time while readers see the previous state", async () => {
    const [one, other] = [openBackend().open("shop"), openBackend().open("shop")];
    await addTopic(one, "a");
    const seen: string[] = [];
    let second: Promise<void> | undefined;
    await one.write(async (tx) => {
      await tx.run(sql`insert into topics values ('b', 'b', '', '', '')`);
      // Waits for the lock; a statement without rows is only sent.
      await tx.all(sql`select 1 as held`);
      second = other.write(async (later) => {
        const rows = await later.all<{ id: string }>(sql`select id from topics order by id`);
        seen.push(...rows.map(({ id }) => id));
      });
      expect(await topics(other)).toEqual(["a"]);
      expect(seen).toEqual([]);
    });
    await second;
    expect(seen).toEqual(["a", "b"]);
  });

  it("never acknowledges a transaction with a failed statement", async () => {
    const database = openBackend().open("shop");
    await addTopic(database, "a");
    const swallowing = database.write(async (tx) => {
      await tx.run(sql`insert into topics values ('b', 'b', '', '', '')`);
      await Promise.resolve(tx.all(sql`select 1 / length('')`)).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow("nothing was stored");
    expect(await topics(database)).toEqual(["a"]);
  });

  it("reports the error of an unawaited row and stores nothing", async () => {
    const database = openBackend().open("shop");
    await addTopic(database, "a");
    const add = (tx: Tx, id: string) =>
      tx.run(sql`insert into topics values (${id}, '', '', '', '')`);
    const ending = database.write(async (tx) => {
      await add(tx, "b");
      await add(tx, "a");
    });
    await expect(ending).rejects.toThrow("duplicate key");
    const asking = database.write(async (tx) => {
      await add(tx, "b");
      await add(tx, "a");
      await tx.all(sql`select id from topics`);
    });
    await expect(asking).rejects.toThrow("duplicate key");
    expect(await topics(database)).toEqual(["a"]);
    await addTopic(database, "c");
    expect(await topics(database)).toEqual(["a", "c"]);
  });

  it("detects removal, renaming and recreation by another process", async () => {
    const [mine, theirs] = [openBackend(), openBackend()];
    const database = mine.open("shop");
    await addTopic(database, "a");
    await theirs.rename("shop", "store");
    await expect(topics(database)).rejects.toThrow('There is no database "shop"');
    await addTopic(database, "b");
    expect(await topics(database)).toEqual(["b"]);
    expect(await topics(theirs.open("store"))).toEqual(["a"]);
  });

  it("continues after a reverted savepoint and a rejected row", async () => {
    const database = openBackend().open("shop");
    await database.write(async (tx) => {
      const add = (id: string) => tx.run(sql`insert into topics values (${id}, '', '', '', '')`);
      await add("a");
      const step = inSavepoint(tx, async () => {
        await add("b");
        throw invalidInput("not this step");
      });
      await expect(step).rejects.toThrow("not this step");
      await expect(inSavepointIfPostgres(tx, async () => add("a"))).rejects.toThrow(
        "duplicate key",
      );
      await add("c");
    });
    expect(await topics(database)).toEqual(["a", "c"]);
  });

  it("orders texts by bytes and stores them unchanged", async () => {
    const database = openBackend().open("shop");
    const ids = ["Z", "a", "ä", "\u{10FFFF}0", "n\0ul", "😀", 'it\'s \\ "so"'];
    for (const id of ids) await addTopic(database, id);
    const byBytes = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const found = await topics(database);
    expect([...found].sort()).toEqual([...ids].sort());
    expect(found.filter((id) => !id.includes("\0"))).toEqual(
      byBytes.filter((id) => !id.includes("\0")),
    );
  });

  it("is not found after removal by those who had it open", async () => {
    const backend = openBackend();
    const database = backend.open("shop");
    await addTopic(database, "a");
    const { id } = await openBackend().remove("shop", new Date(0));
    await expect(topics(database)).rejects.toMatchObject({ code: "not_found" });
    expect(await database.exists()).toBe(false);
    await backend.restore(id, "again");
    expect(await topics(backend.open("again"))).toEqual(["a"]);
  });

  it("explains the cure if no server responds, without the password", async () => {
    const backend = openDatabaseBackend({
      folder: "",
      address: "postgres://ada:s3cret@127.0.0.1:1/shop",
      isName: () => true,
    });
    const refused = await topics(backend.open("shop")).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "busy", message: expect.stringContaining("try again") });
    expect(JSON.stringify(refused) + String(refused)).not.toContain("s3cret");
  });
});
