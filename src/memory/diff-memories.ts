import { yieldToEventLoop } from "../shared/async.ts";
import type { ExecuteOptions } from "./context/execute-options.ts";
import { diffSources } from "./diff-sources.ts";
import type { Memory } from "./memory.ts";

export interface FactDifference {
  readonly entities: readonly string[];
  readonly a: { readonly id: string; readonly statement: string };
  readonly b: { readonly id: string; readonly statement: string };
}

export interface ConceptDifference {
  readonly title: string;
  readonly a: { readonly id: string; readonly summary: string };
  readonly b: { readonly id: string; readonly summary: string };
}

interface Only {
  readonly id: string;
  readonly text: string;
}

export interface MemoryDifference {
  readonly facts: readonly FactDifference[];
  readonly concepts: readonly ConceptDifference[];
  readonly only_in_a: readonly Only[];
  readonly only_in_b: readonly Only[];
}

const BATCH_SIZE = 500;

type Until = Pick<ExecuteOptions, "signal">;

export async function diffMemories(
  a: Memory,
  b: Memory,
  until: Until = {},
): Promise<MemoryDifference> {
  const [episodesA, episodesB] = [await loadEpisodes(a, until), await loadEpisodes(b, until)];
  const [factsA, factsB] = [await loadFacts(a, until), await loadFacts(b, until)];
  const [conceptsA, conceptsB] = [await loadConcepts(a, until), await loadConcepts(b, until)];
  const sources = await diffSources(a, b, until);
  const facts = compareFacts(factsA, factsB);
  await yieldToEventLoop();
  until.signal?.throwIfAborted();
  return {
    facts,
    concepts: compareConcepts(conceptsA, conceptsB),
    only_in_a: [
      ...onlyIn(episodesA, episodesB),
      ...onlyIn(conceptsA, conceptsB),
      ...sources.onlyInA,
    ],
    only_in_b: [
      ...onlyIn(episodesB, episodesA),
      ...onlyIn(conceptsB, conceptsA),
      ...sources.onlyInB,
    ],
  };
}

type Keyed = ReadonlyMap<string, Only>;

function onlyIn(ours: Keyed, theirs: Keyed): Only[] {
  return Array.from(ours).flatMap(([key, { id, text }]) => (theirs.has(key) ? [] : [{ id, text }]));
}

interface Fact {
  readonly id: string;
  readonly statement: string;
  readonly entities: readonly string[];
}

function compareFacts(a: readonly Fact[], b: readonly Fact[]): FactDifference[] {
  const key = ({ entities }: Fact) =>
    entities
      .map((entity) => entity.toLowerCase())
      .sort()
      .join("\n");
  const inA = new Set(a.map((fact) => `${key(fact)}\n${fact.statement}`));
  const inB = new Set(b.map((fact) => `${key(fact)}\n${fact.statement}`));
  const newOfB = new Map<string, Fact[]>();
  for (const fact of b) {
    if (inA.has(`${key(fact)}\n${fact.statement}`) || fact.entities.length === 0) continue;
    newOfB.set(key(fact), [...(newOfB.get(key(fact)) ?? []), fact]);
  }
  return a
    .filter((fact) => !inB.has(`${key(fact)}\n${fact.statement}`))
    .flatMap((fact) =>
      (newOfB.get(key(fact)) ?? []).map((other) => ({
        entities: fact.entities,
        a: { id: fact.id, statement: fact.statement },
        b: { id: other.id, statement: other.statement },
      })),
    );
}

interface Titled extends Only {
  readonly summary: string;
}

function compareConcepts(
  a: ReadonlyMap<string, Titled>,
  b: ReadonlyMap<string, Titled>,
): ConceptDifference[] {
  return Array.from(a).flatMap(([key, ours]) => {
    const theirs = b.get(key);
    if (theirs === undefined || theirs.summary === ours.summary) return [];
    return [
      {
        title: ours.text,
        a: { id: ours.id, summary: ours.summary },
        b: { id: theirs.id, summary: theirs.summary },
      },
    ];
  });
}

async function loadEpisodes(memory: Memory, until: Until): Promise<Map<string, Only>> {
  const found = new Map<string, Only>();
  for (let page = 1; ; page += 1) {
    const { episodes } = await memory.execute("list_episodes", { page, limit: BATCH_SIZE }, until);
    for (const { id, content, episode_type: type } of episodes) {
      found.set(JSON.stringify([type, content]), { id, text: content });
    }
    await yieldToEventLoop();
    if (episodes.length < BATCH_SIZE) return found;
  }
}

async function loadConcepts(memory: Memory, until: Until): Promise<Map<string, Titled>> {
  const found = new Map<string, Titled>();
  for (let page = 1; ; page += 1) {
    const { concepts } = await memory.execute("list_concepts", { page, limit: BATCH_SIZE }, until);
    for (const { id, title, summary, type } of concepts) {
      if (type !== "fact_cluster") found.set(title.toLowerCase(), { id, text: title, summary });
    }
    await yieldToEventLoop();
    if (concepts.length < BATCH_SIZE) return found;
  }
}

async function loadFacts(memory: Memory, until: Until): Promise<Fact[]> {
  const found: Fact[] = [];
  let cursor: string | undefined;
  do {
    const page = { kinds: "fact", limit: BATCH_SIZE, ...(cursor !== undefined && { cursor }) };
    const { items, next_cursor: next } = await memory.execute("items", page, until);
    for (const { id, text, entities, status } of items) {
      if (status === "active") found.push({ id, statement: text, entities });
    }
    await yieldToEventLoop();
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}
