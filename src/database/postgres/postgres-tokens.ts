import type { ClientBase } from "pg";
import { notFound, stateConflict } from "../../kernel/errors.ts";
import type { KeptToken, KeptTokens } from "../kept-tokens.ts";
import { escapeIdentifier } from "./quote.ts";

type InTransaction = <T>(body: (client: ClientBase) => Promise<T>) => Promise<T>;

/** Tokens beside the names of the databases, where every server of the place finds them. */
export class PostgresTokens implements KeptTokens {
  readonly #table: string;
  readonly #change: InTransaction;

  constructor(schema: string, change: InTransaction) {
    this.#table = `${escapeIdentifier(schema)}.tokens`;
    this.#change = change;
  }

  list(): Promise<KeptToken[]> {
    return this.#change(async (client) => {
      const { rows } = await client.query<{ kept: string }>(
        `select kept from ${this.#table} order by name`,
      );
      return rows.map(({ kept }) => JSON.parse(kept) as KeptToken);
    });
  }

  add(token: KeptToken): Promise<void> {
    return this.#change(async (client) => {
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

  remove(name: string): Promise<void> {
    return this.#change(async (client) => {
      const { rowCount } = await client.query(`delete from ${this.#table} where name = $1`, [
        name.toLowerCase(),
      ]);
      if (rowCount === 1) return;
      throw notFound(`There is no token "${name}". \`cairn token list\` names those that exist.`);
    });
  }
}
