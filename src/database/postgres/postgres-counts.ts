import type { Added, Addition, SharedCounts } from "../../shared/shared-counts.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

interface Access {
  /** Rows of one statement outside of any transaction; undefined if its table is missing. */
  readonly ask: <Row extends object>(text: string) => Promise<Row[] | undefined>;
  readonly makeTables: () => Promise<void>;
}

interface Row {
  /** The count with what was added; null: it would have been too much. */
  readonly added: string | null;
  readonly before: string | null;
}

export class PostgresCounts implements SharedCounts {
  readonly #table: string;
  readonly #access: Access;
  #making: Promise<void> | undefined;

  constructor(schema: string, access: Access) {
    this.#table = `${escapeIdentifier(schema)}.counts`;
    this.#access = access;
  }

  async add(addition: Addition): Promise<Added> {
    const text = addStatement(this.#table, addition);
    let rows = await this.#access.ask<Row>(text);
    if (rows === undefined) {
      this.#making ??= this.#access.makeTables().finally(() => {
        this.#making = undefined;
      });
      await this.#making;
      rows = await this.#access.ask<Row>(text);
    }
    const [row] = rows ?? [];
    if (row === undefined) throw new Error("The table of counts was removed.");
    if (row.added !== null) {
      return { isAdded: true, before: Number(row.added) - addition.added };
    }
    return { isAdded: false, before: Number(row.before ?? 0) };
  }
}

/** One statement, so that no other server adds in between. `before` is what was there when it began. */
function addStatement(table: string, { key, period: given, added, most }: Addition): string {
  const period = Math.trunc(given);
  const before = "case when one.period >= excluded.period then one.count else 0 end";
  return `with added as (
      insert into ${table} as one (key, period, count)
        select ${escapeLiteral(key)}, ${period}, ${Math.trunc(added)}
        where ${Math.trunc(added)} <= ${Math.trunc(most)}
      on conflict (key) do update set
        count = ${before} + excluded.count, period = greatest(one.period, excluded.period)
      where ${before} + excluded.count <= ${Math.trunc(most)}
      returning count
    ) select (select count from added) as added,
      (select count from ${table} where key = ${escapeLiteral(key)} and period >= ${period}) as before`;
}
