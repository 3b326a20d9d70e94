import { silentLogger } from "../../src/kernel/logger.ts";
import { createOperations, MemoryStore } from "../../src/memory/index.ts";

/** Remembers until it is killed; each id is printed once its episode is stored. */
const memory = new MemoryStore({
  dataDir: process.env.CAIRN_DATA_DIR ?? "",
  defaultDatabase: "default",
  operations: createOperations(),
  embedder: undefined,
  logger: silentLogger,
  episodeTypes: [],
}).open();
for (let number = 1; ; number += 1) {
  const input = { content: `note ${number} of ${process.pid}`, entities: "project:shop" };
  const { id } = (await memory.execute("remember", input)) as { id: string };
  process.stdout.write(`${id}\n`);
}
