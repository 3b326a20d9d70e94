import type { ClientBase } from "pg";
import { notFound, stateConflict } from "../../kernel/errors.ts";
import type { KeptToken, KeptTokens } from "../kept-tokens.ts";
import { escapeIdentifier } from "./quote.ts";

type InTransaction = <T>(body: (client: ClientBase) => Promise<T>) => Promise<T>;

interface Access {
  readonly change: InTransaction;
  /** Rows of one statement outside of any transaction; none where nobody made a place yet. */
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
}

/** Tokens beside the names of the databases, where every server of the place finds them. */
export class PostgresTokens implements KeptTokens {
  readonly #table: string;
  readonly #change: InTransaction;
  readonly #ask: Access["ask"];

  constructor(schema: string, { change, ask }: Access) {
    this.#table = `${escapeIdentifier(schema)}.tokens`;
    this.#change = change;
    this.#ask = ask;
  }

  async list(): Promise<KeptToken[]> {
    const asked = `select kept from ${this.#table} order by name`;
    const rows = await this.#ask<{ kept: string }>(asked);
    return rows.map(({ kept }) => JSON.parse(kept) as KeptToken);
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
