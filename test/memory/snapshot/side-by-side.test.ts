import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openPlace } from "../../../src/database/index.ts";
import { createOperations, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { describeOnPostgres, postgresPlace } from "../../support/postgres/postgres-place.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const SCOPES =
  "stats labels recent:5 bootstrap entity:person:Ada entity:person:Nobody query:orders";

describeOnPostgres("the sections of a snapshot, read side by side", () => {
  it("are the same where the totals are gone, for which statements fail", async () => {
    using server = postgresPlace();
    const place = openPlace({ folder: "", address: server.url, isName: () => true });
    const database = place.open("shop");
    const memory = openMemory({
      ...{ name: "shop", database, embedder: createWordEmbedder() },
      ...{ operations: createOperations(), logger: silentLogger },
    });
    try {
      for (const content of ["Ada keeps orders", "Ada owns billing"]) {
        const about = { entities: ["person:Ada"], labels: "kind=note" };
        await memory.execute("remember", { content, episode_type: "fact", ...about });
      }
      await memory.makeMissingVectors();
      const whole = await memory.execute("snapshot", { scopes: SCOPES });
      expect(whole["entity:person:Nobody"]).toMatchObject({ error: { code: "not_found" } });
      expect(whole.stats).toMatchObject({ facts: { active: 2 } });
      await database.write(async (tx) => void (await tx.run(sql`drop table totals cascade`)));
      expect(await memory.execute("snapshot", { scopes: SCOPES })).toEqual(whole);
    } finally {
      await memory.close();
      await place.close();
    }
  });
});
