// @module-tag long: stops PostgreSQL servers.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { PostgresServer } from "../../support/postgres/postgres-server.ts";
import { promote, STANDBY_SETTINGS, startStandby } from "../../support/postgres/standby.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";

const LIMIT = 360_000;

/** Accessible to the user that runs the servers. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-hosts-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describeOnPostgres("an address of several hosts", () => {
  it("connects to the primary, also after a failover", {
    timeout: LIMIT,
  }, async () => {
    const folder = ownFolder();
    const settings = STANDBY_SETTINGS;
    const first = await PostgresServer.start({ folder: join(folder, "one"), settings });
    onTestFinished(() => first.stop());
    const second = await startStandby(first, { folder: join(folder, "two"), settings });
    onTestFinished(() => second.stop());
    const hosts = `127.0.0.1:${second.port},127.0.0.1:${first.port}`;
    const address = first.url().replace(`127.0.0.1:${first.port}`, hosts);
    const backend = openDatabaseBackend({ folder: "", address, isName: () => true });
    onTestFinished(() => backend.close());
    const database = backend.open("default");
    const add = (id: string) =>
      database.write(async (tx) => {
        await tx.run(sql`insert into topics values (${id}, ${id}, '', '', '')`);
      });
    const topics = () =>
      database.read(async (tx) =>
        (await tx.all<{ id: string }>(sql`select id from topics order by id`)).map(({ id }) => id),
      );

    await add("before");
    expect((await database.status()).state).toBe("ok");
    await first.stop();
    await promote(second);
    // Writes in flight on the stopped server fail; then the other server is used.
    await expect
      .poll(() => add("after").then(() => "done", String), { timeout: LIMIT })
      .toMatch(/^done$|duplicate key/);
    expect(await topics()).toEqual(["after", "before"]);
    expect(database.location).toContain(hosts);
  });

  it("reports the cause if no host is writable", { timeout: LIMIT }, async () => {
    const folder = ownFolder();
    const settings = { default_transaction_read_only: "on" };
    const server = await PostgresServer.start({ folder: join(folder, "one"), settings });
    onTestFinished(() => server.stop());
    const address = `${server.url()}?target_session_attrs=read-write`;
    const backend = openDatabaseBackend({ folder: "", address, isName: () => true });
    onTestFinished(() => backend.close());
    await expect(backend.open("default").exists()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("read-only"),
    });
  });
});
