// Uses cairn as an agent's memory in a Node.js program. With the package installed (`npm install
// cairn-memory`):
//
//   npx tsx library.ts memory.db
//
// The first write creates the file, and later runs reuse it. The address of a PostgreSQL server
// (postgres://user:password@host:5432/name) works in place of a file.
import { isCairnError, openMemory } from "cairn-memory";

await using memory = openMemory({ path: process.argv[2] ?? "memory.db" });

const fact = await memory.remember({
  content: "Background jobs run on a Postgres table; Redis only caches.",
  episode_type: "fact",
  entities: "tool:postgres,tool:redis",
  asserted_by: "ada",
});
console.log(`remembered ${fact.id}`);

const { episodes, concepts, formatted } = await memory.recall({ query: "where do jobs run?" });
console.log(`found ${episodes.length} episodes and ${concepts.length} concepts`);
console.log(formatted);

try {
  await memory.delete_episode({ episode_id: "ep:1000000" });
} catch (error) {
  if (!isCairnError(error)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
