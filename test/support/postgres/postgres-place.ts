import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import pg from "pg";
import { describe } from "vitest";
import { POSTGRES_IS_MISSING, postgresPrograms } from "./postgres-programs.ts";
import type { DeskAnswer } from "./server-of-the-run.ts";

/** A database of the run's server in which nothing is yet. */
export interface PostgresPlace extends AsyncDisposable {
  /** What CAIRN_DATABASE takes. */
  readonly url: string;
  /** Disconnects whoever is still there, and removes it with all that it holds. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** `describe`, skipped with the reason in its title where PostgreSQL is not installed. */
export const describeOnPostgres: (title: string, tests: () => void) => void =
  postgresPrograms() === undefined
    ? (title, tests) => describe.skip(`${title} (${POSTGRES_IS_MISSING})`, tests)
    : describe;

let server: Promise<pg.Pool> | undefined;

/** The extension for vectors is there, unless the server is to be one that does not offer it. */
export async function postgresPlace({ vectors = true } = {}): Promise<PostgresPlace> {
  server ??= serverOfTheRun();
  const admin = await server;
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = vectors ? "with_vectors" : "without_vectors";
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: Object.assign(new URL(admin.options.connectionString ?? ""), { pathname: name }).href,
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Connections that make and remove databases; idle ones do not keep the process alive. */
async function serverOfTheRun(): Promise<pg.Pool> {
  const socket = connect(process.env.TEST_POSTGRES_SOCKET ?? "");
  await once(socket, "connect");
  const answer = JSON.parse(await text(socket)) as DeskAnswer;
  if ("error" in answer) throw new Error(answer.error);
  return new pg.Pool({ connectionString: answer.url, max: 2, allowExitOnIdle: true });
}
