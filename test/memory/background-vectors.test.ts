import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { SqliteDatabase } from "../../src/database/index.ts";
import { createOperations, openMemory } from "../../src/memory/index.ts";
import { createWordEmbedder } from "../support/word-embedder.ts";

it("a dry run on a database that is not there yet leaves nothing to do in the background", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-test-"));
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const memory = openMemory({
    name: "new",
    database: new SqliteDatabase({ path: join(folder, "new.db") }),
    embedder: createWordEmbedder(),
    operations: createOperations(),
    logger: { info: warn, warn, error: warn },
    vectorsInBackground: true,
  });
  await memory.execute("apply", { changeset: 'remember "x"', dry_run: true });
  await setImmediate();
  await memory.close();
  rmSync(folder, { recursive: true });
  expect(warnings).toEqual([]);
});
