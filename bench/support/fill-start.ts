import { SqliteDatabase } from "../../src/database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../../src/embedding/index.ts";
import { createOperations, openMemory } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { createHashEmbedder } from "./hash-embedder.ts";
import { syntheticText } from "./synthetic-text.ts";

const BATCH_SIZE = 5_000;

/**
 * Writes a memory with this many episodes and their vectors: those of the model, or hashes for
 * sizes that would take the model an hour.
 */
export async function fillForStart(
  path: string,
  episodes: number,
  vectors: "model" | "hash",
): Promise<void> {
  const embedder =
    vectors === "model"
      ? createModelEmbedder()
      : { ...createHashEmbedder(), identity: createModelEmbedder().identity };
  const database = new SqliteDatabase({ path });
  const memory = openMemory({
    database,
    embedder,
    operations: createOperations(),
    logger: silentLogger,
    name: "bench",
  });
  const text = syntheticText(episodes);
  for (let start = 0; start < episodes; start += BATCH_SIZE) {
    const ops = Array.from({ length: Math.min(BATCH_SIZE, episodes - start) }, (_, index) => ({
      op: "remember",
      content: createContent(start + index, text.sentence(8 + text.integer(20))),
      session: `s${Math.floor((start + index) / 20)}`,
      entities: [`module:module${text.integer(2_000)}`],
    }));
    await memory.execute("apply", { changeset: JSON.stringify(ops) });
    await memory.makeMissingVectors();
  }
  await memory.close();
  await embedder.close();
}

/** One episode in a hundred matches the query. */
function createContent(number: number, sentence: string): string {
  return number % 100 === 0 ? `Note ${number} about the build of part ${number % 97}` : sentence;
}

function createModelEmbedder(): Embedder {
  const embedder = createEmbedder(embeddingSettings.parse({}));
  if (embedder === null) throw new Error("The default settings configure no embedder.");
  return embedder;
}
