import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../../src/database/index.ts";
import type { Embedder } from "../../../src/embedding/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../../../src/memory/index.ts";
import { type Logger, silentLogger } from "../../../src/shared/logger.ts";
import { getSqliteDatabase } from "../../support/get-sqlite-database.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

export const ONE_OF_EACH_KIND: readonly string[] = [
  'remember as=a t=fact e=project:shop,tool:redis by=ada "Jobs run on Redis"',
  'remember as=b t=fact e=project:shop,tool:redis "Jobs run on Postgres"',
  'remember as=c t=fact e=file:src/a.ts "The timeout is 30 seconds"',
  'remember as=d t=fact e=file:src/a.ts "The timeout is 10 seconds"',
  'remember as=e t=outcome e=person:ada labels=area=mail "A retry sent 200 mails again"',
  'remember as=f session=s1 occurred_at=2023-05-08 metadata=\'{"n":1}\' "記憶 of a \\"quoted\\" day"',
  'remember as=g "!!!"',
  "supersede old=$a new=$b",
  'conflict as=x fact_a=$c fact_b=$d severity=high "They differ"',
  'concept as=p title="Make retries harmless" from=$e,$f "Keys or records"',
  'concept as=q title="Parse dates in UTC" from=$f type=hypothesis',
  "link from=$q to=$p type=implies",
  'evidence concept=$p episode=$e type=supporting strength=0.9 "200 mails"',
  'topic as=t name=Mail "What we send"',
  "set_topic id=$e topic=$t",
  "label id=$p key=area value=reliability",
  "entity_relation source=file:src/a.ts target=project:shop relation=part_of",
  "processed ids=$e",
  "delete id=$g",
];

export async function fillTemplate(): Promise<{ path: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-filled-"));
  const path = join(folder, "template.db");
  await using memory = createTestMemory({ embedder: createWordEmbedder() });
  await memory.apply(...ONE_OF_EACH_KIND);
  await memory.memory.makeMissingVectors();
  const { path: filled } = await getSqliteDatabase(memory.memory);
  await memory.memory.close();
  copyFileSync(filled, path);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Copy extends AsyncDisposable {
  readonly memory: MemoryEngine;
}

export function openCopy(
  template: string,
  { logger = silentLogger, ...options }: { logger?: Logger; embedder?: Embedder | undefined } = {},
): Copy {
  const embedder = "embedder" in options ? options.embedder : createWordEmbedder();
  const folder = mkdtempSync(join(tmpdir(), "cairn-copy-"));
  const path = join(folder, "default.db");
  copyFileSync(template, path);
  const memory = openMemory({
    name: "default",
    database: new SqliteDatabase({ path }),
    embedder,
    operations: createOperations(),
    logger,
  });
  return {
    memory,
    async [Symbol.asyncDispose]() {
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
