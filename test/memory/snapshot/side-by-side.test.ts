import { expect, it } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { createOperations, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const SCOPES =
  "stats labels recent:5 bootstrap entity:person:Ada entity:person:Nobody query:orders";

describeOnPostgres("the sections of a snapshot, read side by side", () => {
  it("equal the results of separate reads", async () => {
    using server = takePostgresDatabase();
    const backend = openDatabaseBackend({ folder: "", address: server.url, isName: () => true });
    const database = backend.open("shop");
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
      for (const scope of SCOPES.split(" ")) {
        const alone: Record<string, unknown> = await memory.execute("snapshot", { scopes: scope });
        const [name = scope] = scope.split(/(?<=^recent):/);
        expect(alone[name], scope).toEqual((whole as Record<string, unknown>)[name]);
      }
    } finally {
      await memory.close();
      await backend.close();
    }
  });
});
