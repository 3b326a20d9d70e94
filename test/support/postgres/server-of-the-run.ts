import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { POSTGRES_IS_MISSING, postgresPrograms } from "./postgres-programs.ts";
import { PostgresServer } from "./postgres-server.ts";

/** What the databases of tests are copies of; as on a server that does not offer the extension. */
const TEMPLATES = {
  with_vectors: "create extension vector",
  without_vectors: `
    create function refuse() returns event_trigger language plpgsql as $$ begin
      raise 'extension "vector" is not available' using errcode = 'feature_not_supported';
    end $$;
    create event trigger no_extensions on ddl_command_start
      when tag in ('CREATE EXTENSION') execute function refuse()`,
};

/** What a test learns at the socket. */
export type DeskAnswer = { readonly url: string } | { readonly error: string };

/**
 * One PostgreSQL for all tests of a run, started when the first of them asks for it over the socket
 * that TEST_POSTGRES_SOCKET names, and ended with the run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE === "postgres" && postgresPrograms() === undefined) {
    throw new Error(POSTGRES_IS_MISSING);
  }
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  chmodSync(folder, 0o755);
  let started: Promise<PostgresServer> | undefined;
  const desk = createServer((client) => {
    const answer = (content: DeskAnswer) => client.end(JSON.stringify(content));
    client.on("error", () => client.destroy());
    started ??= startServer(join(folder, "server"));
    started.then(
      (server) => answer({ url: server.url() }),
      (error: unknown) => answer({ error: String(error) }),
    );
  });
  const socket = join(folder, "desk");
  desk.listen(socket);
  await once(desk, "listening");
  process.env.TEST_POSTGRES_SOCKET = socket;
  return async () => {
    desk.close();
    await started?.then(
      (server) => server.stop(),
      () => undefined,
    );
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

async function startServer(folder: string): Promise<PostgresServer> {
  const server = await PostgresServer.start({ folder });
  for (const [name, content] of Object.entries(TEMPLATES)) {
    await run(server.url(), `create database ${name}`);
    await run(server.url(name), content);
  }
  return server;
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
