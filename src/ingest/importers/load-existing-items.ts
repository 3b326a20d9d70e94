import type { Memory } from "../../memory/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { isCairnError } from "../../shared/errors.ts";
import { KnownItems } from "./existing-items.ts";

const BATCH_SIZE = 1000;
const CONCEPTS_AT_ONCE = 500;

export async function loadKnownItems(memory: Memory, source: string): Promise<KnownItems> {
  try {
    return await load(memory, source);
  } catch (error) {
    if (isCairnError(error) && error.code === "not_found") return new KnownItems();
    throw error;
  }
}

async function load(memory: Memory, source: string): Promise<KnownItems> {
  const known = new KnownItems();
  for await (const item of importedItems(memory, source)) {
    if (item.import_id === null) continue;
    known.addStoredEpisode(item.import_id, {
      ref: item.id,
      factRef: item.fact_id ?? undefined,
      hash: item.import_hash ?? undefined,
      deleted: item.deleted,
      superseded: item.superseded,
    });
  }
  await loadConcepts(memory, source, known);
  for (const { id, name } of (await memory.execute("list_topics", {})).topics) {
    known.addStoredTopic(name, id);
  }
  const entityEdges = (await memory.execute("entity_graph", {})).edges;
  for (const { source: from, relation, target } of entityEdges)
    known.addEdge(from, relation, target);
  for (const { source: from, type, target } of (await memory.execute("graph", {})).edges) {
    known.addEdge(from, type, target);
  }
  const { conflicts } = await memory.execute("list_conflicts", { status: "all" });
  for (const { fact_a, fact_b } of conflicts) known.addConflict(fact_a.id, fact_b.id);
  return known;
}

async function* importedItems(memory: Memory, source: string) {
  let after: string | undefined;
  for (;;) {
    const page = { source, limit: BATCH_SIZE, ...(after !== undefined && { after }) };
    const { items } = await memory.execute("list_imported", page);
    yield* items;
    after = items.at(-1)?.id;
    if (items.length < BATCH_SIZE) return;
    await yieldToEventLoop();
  }
}

async function loadConcepts(memory: Memory, source: string, known: KnownItems): Promise<void> {
  for (let page = 1; ; page += 1) {
    const { concepts } = await memory.execute("list_concepts", {
      labels: [{ key: "import", value: source }],
      page,
      limit: CONCEPTS_AT_ONCE,
    });
    for (const { id, title } of concepts) known.addStoredConcept(title, id);
    if (concepts.length < CONCEPTS_AT_ONCE) return;
    await yieldToEventLoop();
  }
}
