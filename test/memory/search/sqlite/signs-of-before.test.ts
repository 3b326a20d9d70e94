import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { signBits } from "../../../../src/embedding/index.ts";
import { diagnose } from "../../../../src/memory/index.ts";
import { packageRoot } from "../../../../src/shared/package.ts";
import { sqliteOf } from "../../../support/sqlite-of.ts";
import { fillTemplate, openCopy } from "../../maintenance/filled-memory.ts";

const MIGRATION = join(packageRoot(), "drizzle", "0017_vector-signs.sql");

it("makes signs of the vectors of a database that kept them in sqlite-vec's tables", async () => {
  const template = await fillTemplate();
  try {
    await using copy = openCopy(template.path);
    const { memory } = copy;
    const asked = { query: "retry mails again" };
    const answer = await memory.execute("recall", asked);
    const database = await sqliteOf(memory);
    await database.maintain((connection) => {
      const rows = connection
        .prepare("select kind, item_id as number, vector from vectors")
        .all() as { kind: string; number: number; vector: Buffer }[];
      expect(rows.length).toBeGreaterThan(5);
      const dimensions = Math.ceil((rows[0]?.vector.length ?? 0) / 8) * 8;
      connection.exec("drop table vector_signs");
      for (const kind of ["episode", "concept"]) {
        connection.exec(
          `create virtual table ${kind}_bits using vec0(part integer partition key, bits bit[${dimensions}])`,
        );
        const insert = connection.prepare(`insert into ${kind}_bits values (?, ?, vec_bit(?))`);
        for (const { number, vector } of rows.filter((row) => row.kind === kind)) {
          const bits = signBits(Float32Array.from(new Int8Array(vector)));
          insert.run(BigInt(number), BigInt(number % 16), bits);
        }
      }
      for (const statement of readFileSync(MIGRATION, "utf8").split("--> statement-breakpoint")) {
        connection.exec(statement);
      }
      const left = connection.prepare("select name from sqlite_schema where name like '%_bits%'");
      expect(left.all()).toEqual([]);
    });
    await memory.close();
    await using again = openCopy(database.path);
    expect(await again.memory.execute("recall", asked)).toEqual(answer);
    expect((await diagnose(again.memory)).findings).toEqual([]);
  } finally {
    template.remove();
  }
});
