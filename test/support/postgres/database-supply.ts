import { EventEmitter, once } from "node:events";
import { readdirSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { KINDS, type Kind, type LeaseFolders } from "./lease-folders.ts";
import { PostgresServer } from "./postgres-server.ts";

/** Creating a database takes 100 ms, so spare ones are prepared. */
const SPARES: Readonly<Record<Kind, number>> = { with_vectors: 6, without_vectors: 1 };
const AT_ONCE = 2;

const CONTENT: Readonly<Record<Kind, string>> = {
  with_vectors: "create extension vector",
  without_vectors: `
    create function refuse() returns event_trigger language plpgsql as $$ begin
      raise 'extension "vector" is not available' using errcode = 'feature_not_supported';
    end $$;
    create event trigger no_extensions on ddl_command_start
      when tag in ('CREATE EXTENSION') execute function refuse()`,
};

export class DatabaseSupply {
  readonly #desk: LeaseFolders;
  readonly #making = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  readonly #removing = new Set<string>();
  readonly #moved = new EventEmitter<{ file: [] }>();
  readonly #run: Promise<void>;
  #made = 0;
  #isClosed = false;

  constructor(desk: LeaseFolders, serverFolder: string) {
    this.#desk = desk;
    const watchers = [desk.taken, desk.done].map((folder) =>
      watch(folder, () => this.#moved.emit("file")),
    );
    this.#run = this.#serve(serverFolder)
      .catch((error: unknown) => writeFileSync(desk.failure, String(error)))
      .finally(() => {
        for (const watcher of watchers) watcher.close();
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#moved.emit("file");
    await this.#run;
  }

  async #serve(folder: string): Promise<void> {
    await once(this.#moved, "file");
    if (this.#isClosed) return;
    const server = await PostgresServer.start({ folder });
    const admin = new pg.Pool({ connectionString: server.url(), max: AT_ONCE });
    try {
      for (const kind of KINDS) {
        await admin.query(`create database ${kind}`);
        await runOnce(server.url(kind), CONTENT[kind]);
      }
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(server, admin)));
    } finally {
      await admin.end();
      await server.stop();
    }
  }

  async #work(server: PostgresServer, admin: pg.Pool): Promise<void> {
    while (!this.#isClosed) {
      const kind = KINDS.find((one) => this.#supplyOf(one) < SPARES[one]);
      const [done] = readdirSync(this.#desk.done).filter((name) => !this.#removing.has(name));
      if (kind !== undefined) await this.#make(kind, server, admin);
      else if (done !== undefined) await this.#remove(done, admin);
      else await once(this.#moved, "file");
    }
  }

  #supplyOf(kind: Kind): number {
    return readdirSync(this.#desk.spares[kind]).length + (this.#making.get(kind) ?? 0);
  }

  async #make(kind: Kind, server: PostgresServer, admin: pg.Pool): Promise<void> {
    this.#making.set(kind, (this.#making.get(kind) ?? 0) + 1);
    this.#made += 1;
    const name = `test_${this.#made}`;
    await admin.query(`create database ${name} template ${kind} strategy file_copy`);
    // Renamed into place, because a test reads it as soon as it appears.
    const draft = join(this.#desk.folder, name);
    writeFileSync(draft, server.url(name));
    renameSync(draft, join(this.#desk.spares[kind], name));
    this.#making.set(kind, (this.#making.get(kind) ?? 0) - 1);
  }

  async #remove(name: string, admin: pg.Pool): Promise<void> {
    this.#removing.add(name);
    await admin.query(`drop database ${name} with (force)`);
    rmSync(join(this.#desk.done, name));
    this.#removing.delete(name);
  }
}

async function runOnce(url: string, statements: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
