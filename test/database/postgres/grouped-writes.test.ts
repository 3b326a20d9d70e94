import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabaseBackend, type Tx } from "../../../src/database/index.ts";
import { invalidInput } from "../../../src/shared/errors.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

let server: Disposable & { readonly url: string };
let network: TcpProxy;
let backend: ReturnType<typeof openDatabaseBackend>;
let database: Database;

beforeEach(async () => {
  server = takePostgresDatabase();
  network = await TcpProxy.start(Number(new URL(server.url).port));
  backend = openDatabaseBackend({
    folder: "",
    address: network.urlOf(server.url),
    isName: () => true,
  });
  database = backend.open("shop");
  await database.write(async () => undefined);
});

afterEach(async () => {
  await backend.close();
  await network[Symbol.asyncDispose]();
  server[Symbol.dispose]();
});

const add = (id: string) => async (tx: Tx) => {
  await tx.run(sql`insert into topics values (${id}, ${id}, '', '', '')`);
  const [row] = await tx.all<{ number: number }>(
    sql`select pg_current_xact_id()::text::bigint::int as number`,
  );
  return row?.number;
};
const topics = () =>
  database.read(async (tx) => {
    const rows = await tx.all<{ id: string }>(sql`select id from topics order by id`);
    return rows.map(({ id }) => id);
  });

describeOnPostgres("writes that wait for each other", () => {
  it("share one commit", async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `t${String(n).padStart(2, "0")}`);
    const transactions = await Promise.all(ids.map((id) => database.write(add(id))));
    expect(await topics()).toEqual(ids);
    // The group size depends on timing.
    expect(new Set(transactions).size).toBeLessThan(ids.length);
  });

  it("fail independently", async () => {
    const refused = async (tx: Tx) => {
      await add("b")(tx);
      throw invalidInput("not like this");
    };
    const done = await Promise.allSettled([
      database.write(add("first")),
      database.write(add("a")),
      database.write(refused),
      // PostgreSQL rejects this statement and those after it.
      database.write(add("a")),
      database.write(async (tx) => {
        // The error arrives only with a later response or at the commit.
        await tx.run(sql`insert into topics values ('first', 'first', '', '', '')`);
      }),
      database.write(async (tx) => {
        await tx.run(sql`set constraints all deferred`);
        await tx.run(
          sql`insert into episode_entities(episode_id, entity_id, position) values (1, 1, 0)`,
        );
      }),
      database.write(add("c")),
    ]);
    expect(done.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(done[2]).toMatchObject({ reason: { code: "invalid_input" } });
    expect(await topics()).toEqual(["a", "c", "first"]);
  });

  it("all fail if the connection is lost", async () => {
    const writes = ["a", "b", "c", "d"].map((id) =>
      database.write(async (tx) => {
        await add(id)(tx);
        if (id === "c") network.cut();
      }),
    );
    const done = await Promise.allSettled(writes);
    network.mend();
    for (const one of done) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "busy" } });
    }
    expect(await topics()).toEqual([]);
  });
});
