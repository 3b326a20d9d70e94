import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  type DatabaseBackend,
  DatabaseFolder,
  openDatabaseBackend,
} from "../../../src/database/index.ts";
import { createOperations, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { PostgresServer } from "../../support/postgres/postgres-server.ts";
import { STANDBY_SETTINGS, startReplica } from "../../support/postgres/standby.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";
import { createCliFolders, runInProcess } from "../../support/run-cli.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-kept-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function purgeIn(backend: DatabaseBackend) {
  const memory = openMemory({
    name: "default",
    database: backend.open("default"),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
  });
  await memory.execute("remember", { content: "A name" });
  const answer = await memory.execute("purge", { ids: ["ep:1"] });
  await memory.close();
  await backend.close();
  return answer;
}

it("a purge in a file reports no other location", async () => {
  const answer = await purgeIn(new DatabaseFolder(temporaryFolder(), () => true));
  expect(answer).toEqual({ id: expect.any(String), purged: ["ep:1"] });
});

describeOnPostgres("a purge on PostgreSQL", () => {
  it("reports other copies in the installation on every surface that purges", async () => {
    const folder = temporaryFolder();
    const archiving = { archive_mode: "on", archive_command: "true" };
    const settings = { ...STANDBY_SETTINGS, ...archiving };
    const server = await PostgresServer.start({ folder: join(folder, "one"), settings });
    onTestFinished(() => server.stop());
    const replica = await startReplica(server, { folder: join(folder, "two"), settings });
    const address = server.url();
    const open = () => openDatabaseBackend({ folder: "", address, isName: () => true });
    const all = [
      /^The table files contain its bytes until .* `cairn doctor --rewrite`/,
      /^The server's write-ahead log contains it/,
      /^The archive of the write-ahead log \(archive_mode\)/,
      /^A replica contains it until the purge is replayed/,
      /^Every earlier backup of the server/,
    ];
    const { kept_elsewhere: stored } = await purgeIn(open());
    expect(stored).toEqual(all.map((pattern) => expect.stringMatching(pattern)));

    await replica.stop();
    const folders = createCliFolders();
    const run = (...args: string[]) =>
      runInProcess(folders, [...args, "--database", address, "--db", "default"]);
    await run("remember", "Another name");
    const purged = await run("purge", "ep:2", "--yes");
    expect(purged.stdout).toContain("Purged permanently: ep:2.\nThe table files contain its bytes");
    expect(purged.stdout).not.toContain("replica");
    const verified = await run("purge", "--verify", "Another name");
    expect(verified.stdout).toMatch(
      /^The database no longer returns it\.\nThe table files contain its bytes/,
    );
    const asJson = JSON.parse((await run("purge", "--verify", "Another", "--json")).stdout);
    expect(asJson).toMatchObject({ found: [], kept_elsewhere: expect.any(Array) });
  }, 180_000);
});
