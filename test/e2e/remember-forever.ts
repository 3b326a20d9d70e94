import { DatabaseFolder } from "../../src/database/index.ts";
import { createOperations, isDatabaseName, MemoryStore } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";

/** Child process: remembers until it is killed and prints the id of each stored episode. */
const memory = new MemoryStore({
  backend: new DatabaseFolder(process.env.CAIRN_DATA_DIR ?? "", isDatabaseName),
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
