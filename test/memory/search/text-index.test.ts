import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { describe, expect, it } from "vitest";
import { matchText } from "../../../src/memory/search/text-index.ts";
import { testMemory } from "../../support/test-memory.ts";

describe("searching the text index within a set of items", () => {
  it("reads the index once, not once for every item of the set", async () => {
    await using test = testMemory();
    await test.call("remember", { content: "alphaword of the first note" });
    await test.call("remember", { content: "alphaword of the second note" });
    using plans = planner(join(test.folder, "default.db"));
    const found = await matchText(plans.tx, {
      kind: "episode",
      words: ["alphaword"],
      among: [1],
    });
    expect(found.map(({ number }) => number)).toEqual([1]);
    const searches = plans.read().filter((step) => step.includes("episode_text"));
    expect(searches).not.toEqual([]);
    // An equals sign in the plan stands for one probe of the index for each row number.
    expect(searches.filter((step) => /INDEX \d+:.*=/.test(step))).toEqual([]);
  });
});

/** A connection that remembers its statements, and what SQLite plans for them. */
function planner(path: string) {
  const connection = new BetterSqlite(path, { readonly: true });
  const statements: { query: string; params: unknown[] }[] = [];
  const logger = {
    logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }),
  };
  return {
    tx: drizzle({ client: connection, logger }),
    read: () =>
      statements.flatMap(({ query, params }) =>
        connection
          .prepare<unknown[], { detail: string }>(`explain query plan ${query}`)
          .all(...params)
          .map(({ detail }) => detail),
      ),
    [Symbol.dispose]: () => void connection.close(),
  };
}
