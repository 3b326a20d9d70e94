import type { ClientBase } from "pg";
import type { KeptRecord, KeptRecords } from "../kept-records.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

interface Access {
  readonly change: <T>(body: (client: ClientBase) => Promise<T>) => Promise<T>;
  /** Rows of one statement outside of any transaction; none if nobody has made a place yet. */
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
}

interface Row {
  readonly id: string;
  readonly kept: string;
}

/** Records stored beside the names of the databases, where every server of the place finds them. */
export class PostgresRecords implements KeptRecords {
  readonly #table: string;
  readonly #access: Access;

  constructor(schema: string, access: Access) {
    this.#table = `${escapeIdentifier(schema)}.records`;
    this.#access = access;
  }

  async get(kind: string, id: string): Promise<object | undefined> {
    const [row] = await this.#access.ask<Row>(
      `select id, kept from ${this.#table} where kind = ${escapeLiteral(kind)} and id = ${escapeLiteral(id)}`,
    );
    return row === undefined ? undefined : keptIn(row);
  }

  async list(kind: string, prefix = ""): Promise<KeptRecord[]> {
    const rows = await this.#access.ask<Row>(
      `select id, kept from ${this.#table} where kind = ${escapeLiteral(kind)} and starts_with(id, ${escapeLiteral(prefix)}) order by id`,
    );
    return rows.map((row) => ({ id: row.id, value: keptIn(row) }));
  }

  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void> {
    return this.#access.change(async (client) => {
      const { rows } = await client.query<Row>(
        `select id, kept from ${this.#table} where kind = $1 and id = $2`,
        [kind, id],
      );
      const [row] = rows;
      const after = change(row === undefined ? undefined : keptIn(row));
      if (after === undefined) {
        await client.query(`delete from ${this.#table} where kind = $1 and id = $2`, [kind, id]);
        return;
      }
      await client.query(
        `insert into ${this.#table}(kind, id, kept) values ($1, $2, $3) on conflict (kind, id) do update set kept = $3`,
        [kind, id, JSON.stringify(after)],
      );
    });
  }
}

function keptIn({ kept }: Row): object {
  return JSON.parse(kept) as object;
}
