import type { ClientBase } from "pg";
import { type CairnError, notFound, stateConflict } from "../../shared/errors.ts";
import { EXPIRY_MS, type StoredToken, type StoredTokens } from "../database.ts";
import { escapeIdentifier } from "./database-names.ts";

/** Record that exists since the first token was created. */
const CLOSED_ID = "closed";
/** Prefix of a reachable server's id. Servers renew their record while running. */
const SERVER_PREFIX = "server:";
/** Prefix of a used token's name. */
const LAST_USED_PREFIX = "used:";

type InTransaction = <T>(body: (client: ClientBase) => Promise<T>) => Promise<T>;

interface TokenAccess {
  readonly change: InTransaction;
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
}

export class PostgresTokens implements StoredTokens {
  readonly #table: string;
  /** Table of access state: whether tokens are required, and reachable servers. */
  readonly #uses: string;
  readonly #change: InTransaction;
  readonly #ask: TokenAccess["ask"];

  constructor(schema: string, { change, ask }: TokenAccess) {
    this.#table = `${escapeIdentifier(schema)}.tokens`;
    this.#uses = `${escapeIdentifier(schema)}.doors`;
    this.#change = change;
    this.#ask = ask;
  }

  async list(): Promise<StoredToken[]> {
    const query = `select kept from ${this.#table} order by name`;
    const rows = await this.#ask<{ kept: string }>(query);
    return rows.map(({ kept }) => JSON.parse(kept) as StoredToken);
  }

  add(token: StoredToken): Promise<void> {
    return this.#change(async (client) => {
      await this.#note(client, CLOSED_ID);
      const { rowCount } = await client.query(
        `insert into ${this.#table}(name, kept) values ($1, $2) on conflict do nothing`,
        [token.name.toLowerCase(), JSON.stringify(token)],
      );
      if (rowCount === 1) return;
      throw stateConflict(
        `There is a token "${token.name}" already: choose another name, or revoke that one first.`,
      );
    });
  }

  replace(token: StoredToken): Promise<void> {
    return this.#change(async (client) => {
      const { rowCount } = await client.query(
        `update ${this.#table} set kept = $2 where name = $1`,
        [token.name.toLowerCase(), JSON.stringify(token)],
      );
      if (rowCount !== 1) throw noTokenError(token.name);
    });
  }

  remove(name: string): Promise<void> {
    return this.#change(async (client) => {
      const { rowCount } = await client.query(`delete from ${this.#table} where name = $1`, [
        name.toLowerCase(),
      ]);
      if (rowCount !== 1) throw noTokenError(name);
      await this.#note(client, CLOSED_ID);
      await this.#unmark(client, `${LAST_USED_PREFIX}${name.toLowerCase()}`);
    });
  }

  noteUse(name: string): Promise<void> {
    return this.#change((client) => this.#note(client, `${LAST_USED_PREFIX}${name.toLowerCase()}`));
  }

  async lastUses(): Promise<ReadonlyMap<string, string>> {
    const uses = await this.#ask<{ name: string; ms: string }>(
      `select name, floor(extract(epoch from seen_at) * 1000)::text as ms from ${this.#uses} where starts_with(name, '${LAST_USED_PREFIX}')`,
    );
    return new Map(
      uses.map(({ name, ms }) => [
        name.slice(LAST_USED_PREFIX.length),
        new Date(Number(ms)).toISOString(),
      ]),
    );
  }

  async isClosed(): Promise<boolean> {
    const marks = await this.#ask(`select 1 from ${this.#uses} where name = '${CLOSED_ID}'`);
    return marks.length > 0 || (await this.#ask(`select 1 from ${this.#table} limit 1`)).length > 0;
  }

  reopen(): Promise<void> {
    return this.#forget(CLOSED_ID);
  }

  noteServer(id: string): Promise<void> {
    return this.#change((client) => this.#note(client, `${SERVER_PREFIX}${id}`));
  }

  forgetServer(id: string): Promise<void> {
    return this.#forget(`${SERVER_PREFIX}${id}`);
  }

  async countServers(): Promise<number> {
    const servers = await this.#ask(
      `select 1 from ${this.#uses} where starts_with(name, '${SERVER_PREFIX}') and seen_at > now() - interval '${EXPIRY_MS} milliseconds'`,
    );
    return servers.length;
  }

  async #note(client: ClientBase, name: string): Promise<void> {
    await client.query(
      `insert into ${this.#uses}(name, seen_at) values ($1, now()) on conflict (name) do update set seen_at = now()`,
      [name],
    );
  }

  #forget(name: string): Promise<void> {
    return this.#change((client) => this.#unmark(client, name));
  }

  async #unmark(client: ClientBase, name: string): Promise<void> {
    await client.query(`delete from ${this.#uses} where name = $1`, [name]);
  }
}

function noTokenError(name: string): CairnError {
  return notFound(`There is no token "${name}". \`cairn token list\` lists them.`);
}
