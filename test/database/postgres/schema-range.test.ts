import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { type Migration, Migrations } from "../../../src/database/postgres/migrations.ts";
import { expectDefined } from "../../support/defined.ts";
import { serveMemory } from "../../support/memory-server.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

const LIMIT = 180_000;
const released = Migrations.released();
const KNOWN = released.newest;

const ADDS: Migration = {
  name: "adds",
  kind: "expand",
  sql: () =>
    "create table notes_of_tests (id text primary key, note text); alter table episodes add column mood text",
};
const TAKES_AWAY: Migration = {
  name: "takes-away",
  kind: "contract",
  sql: () => "drop table notes_of_tests",
};

/** Opens servers and backends of versions with additional migrations. */
function versionsOn(url: string) {
  const placeWith = (...further: readonly Migration[]) => {
    const migrations = new Migrations([...released.all, ...further]);
    const backend = openDatabaseBackend({
      folder: "",
      address: url,
      isName: () => true,
      migrations,
    });
    return backend;
  };
  const serve = async (...further: readonly Migration[]) => {
    const server = await serveMemory({ place: placeWith(...further) });
    onTestFinished(() => server.end());
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`${server.url}${path}`, {
        headers: { "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    return {
      ask,
      remember: (content: string) => ask("/api/v1/episodes", { content }),
      contents: async () => {
        const { text } = await ask("/api/v1/episodes");
        const { episodes } = JSON.parse(text) as { episodes: { content: string }[] };
        return episodes.map(({ content }) => content).sort();
      },
      state: async () => {
        const [health, ready] = [await ask("/health"), await ask("/health/ready")];
        const state = /"database_state":"(\w+)"/.exec(health.text)?.[1];
        return [health.status, ready.status, state];
      },
    };
  };
  const migrate = async (
    options: { dryRun?: boolean; finish?: boolean },
    ...further: Migration[]
  ) => {
    const backend = placeWith(...further);
    try {
      return await backend.migrate({ dryRun: false, finish: false, ...options });
    } finally {
      await backend.close();
    }
  };
  return { serve, migrate };
}

function emptyServer() {
  const server = takePostgresDatabase();
  onTestFinished(() => server[Symbol.dispose]());
  return versionsOn(server.url);
}

describeOnPostgres("servers of two versions on one database", () => {
  it("both versions work after an additive migration", {
    timeout: LIMIT,
  }, async () => {
    const { serve, migrate } = emptyServer();
    const old = await serve();
    expect((await old.remember("Written before")).status).toBe(200);
    const next = await serve(ADDS);
    const refused = await next.ask("/api/v1/episodes");
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("Run `cairn db migrate`"),
    ]);
    expect(await next.state()).toEqual([503, 503, "older"]);
    expect(await old.state()).toEqual([200, 200, "ok"]);

    const todo = { name: "default", from: KNOWN, to: KNOWN + 1, scripts: ["adds"], left: [] };
    expect(await migrate({ dryRun: true }, ADDS)).toEqual([todo]);
    expect(await next.state()).toEqual([503, 503, "older"]);
    expect(await migrate({}, ADDS)).toEqual([todo]);
    expect(await migrate({}, ADDS)).toEqual([{ ...todo, from: KNOWN + 1, scripts: [] }]);

    for (const [server, name] of [
      [old, "old"],
      [next, "new"],
    ] as const) {
      expect((await server.remember(`Written by the ${name} one`)).status).toBe(200);
      const { text } = await server.ask("/api/v1/undo", {});
      expect(text).toContain('"undo_of"');
      expect((await server.remember(`Kept by the ${name} one`)).status).toBe(200);
      await expect.poll(server.state, { timeout: LIMIT }).toEqual([200, 200, "ok"]);
    }
    const all = ["Kept by the new one", "Kept by the old one", "Written before"];
    expect([await old.contents(), await next.contents()]).toEqual([all, all]);
    const recalled = await old.ask("/api/v1/query", { query: "kept" });
    expect([recalled.status, recalled.text]).toEqual([200, expect.stringContaining("new one")]);
  });

  it("both continue when the newer version writes first", { timeout: LIMIT }, async () => {
    const { serve } = emptyServer();
    const old = await serve();
    await old.remember("a");
    const next = await serve(ADDS);
    expect((await next.remember("b")).status).toBe(200);
    expect(await next.contents()).toEqual(["a", "b"]);
    expect((await old.remember("c")).status).toBe(200);
    expect(await old.contents()).toEqual(["a", "b", "c"]);
  });

  it("report an unsupported schema on /health", { timeout: LIMIT }, async () => {
    const { serve, migrate } = emptyServer();
    const [old, next] = [await serve(ADDS), await serve(ADDS, TAKES_AWAY)];
    await old.remember("a");
    // A contract migration blocks nothing: both versions stay available.
    expect((await next.remember("b")).status).toBe(200);
    expect([await old.state(), await next.state()]).toEqual([
      [200, 200, "ok"],
      [200, 200, "ok"],
    ]);
    const [kept] = await migrate({}, ADDS, TAKES_AWAY);
    expect(expectDefined(kept)).toMatchObject({ scripts: [], left: ["takes-away"] });
    expect((await old.remember("c")).status).toBe(200);

    const [finished] = await migrate({ finish: true }, ADDS, TAKES_AWAY);
    expect(expectDefined(finished)).toMatchObject({ scripts: ["takes-away"], left: [] });
    await expect.poll(old.state, { timeout: LIMIT }).toEqual([503, 503, "newer"]);
    const refused = await old.remember("d");
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("written by a newer cairn"),
    ]);
    expect(await next.state()).toEqual([200, 200, "ok"]);
    expect(await next.contents()).toEqual(["a", "b", "c"]);
  });

  it("copy and list a newer schema or explain why not", {
    timeout: LIMIT,
  }, async () => {
    const { serve, migrate } = emptyServer();
    const old = await serve();
    await old.remember("a");
    await migrate({}, ADDS);
    expect((await old.ask("/api/v1/databases")).text).toContain('"default"');
    const copied = await old.ask("/api/v1/databases/default/copy", { to: "copy" });
    expect([copied.status, copied.text]).toEqual([409, expect.stringContaining("Update cairn")]);
    const next = await serve(ADDS);
    expect((await next.ask("/api/v1/databases/default/copy", { to: "copy" })).status).toBe(200);
    expect((await old.ask("/api/v1/episodes?db=copy")).status).toBe(200);
  });
});
