import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabaseBackend, SqliteDatabase } from "../../../src/database/index.ts";
import { createOperations, openMemory } from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

let server: Disposable & { readonly url: string };

beforeEach(() => {
  server = takePostgresDatabase();
});

afterEach(() => server[Symbol.dispose]());

/** Random letters of three bytes each, which do not compress. */
function longText(letters: number): string {
  let state = 1;
  return Array.from({ length: letters }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e00 + (state % 20_000));
  }).join("");
}

const LONG: readonly (readonly [field: string, input: Record<string, unknown>])[] = [
  ["session", { session: longText(1_300) }],
  ["entities", { entities: [`person:${longText(1_300)}`] }],
  ["labels", { labels: `${longText(500)}=${longText(500)}` }],
];

describeOnPostgres("a text that is too long for an index of PostgreSQL", () => {
  it.each(LONG)("is rejected naming its field, %s, and stores nothing", async (field, input) => {
    const backend = openDatabaseBackend({ folder: "", address: server.url, isName: () => true });
    const memory = memoryOn(backend.open("shop"));
    await memory.execute("remember", { content: "before" });
    const refused = memory.executeNamed(
      "remember",
      { content: "A thought", ...input },
      { caller: OWNER },
    );
    await expect(refused).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`${field}: is too long`) as string,
    });
    await memory.execute("remember", { content: "after" });
    const { events } = await memory.execute("events", {});
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    await memory.close();
    await backend.close();
  });

  it.each(LONG)("is accepted by SQLite: %s", async (_field, input) => {
    const memory = memoryOn(new SqliteDatabase({ path: ":memory:" }));
    await memory.executeNamed("remember", { content: "A thought", ...input }, { caller: OWNER });
    await memory.close();
  });

  it("does not affect idempotency keys of up to 512 characters", async () => {
    const backend = openDatabaseBackend({ folder: "", address: server.url, isName: () => true });
    const memory = memoryOn(backend.open("shop"));
    const input = { content: "A thought", idempotency_key: longText(512) };
    const first = await memory.execute("remember", input);
    expect(await memory.execute("remember", input)).toEqual(first);
    await memory.close();
    await backend.close();
  });
});

function memoryOn(database: ReturnType<ReturnType<typeof openDatabaseBackend>["open"]>) {
  return openMemory({
    name: "shop",
    database,
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
  });
}
