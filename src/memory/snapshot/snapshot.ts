import { type CairnError, isCairnError } from "../../kernel/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { type PreparedRecall, prepareRecall, recall } from "../recall/index.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import { type FaultyScope, type ParsedScope, parseScopes } from "./parse-scopes.ts";
import type { ScopeReader } from "./scope.ts";
import type { ScopeName } from "./scope-names.ts";
import { bootstrap } from "./scopes/bootstrap.ts";
import { concept } from "./scopes/concept.ts";
import { conflicts } from "./scopes/conflicts.ts";
import { entity } from "./scopes/entity.ts";
import { events } from "./scopes/events.ts";
import { label } from "./scopes/label.ts";
import { labels } from "./scopes/labels.ts";
import { pending } from "./scopes/pending.ts";
import { recent } from "./scopes/recent.ts";
import { stats } from "./scopes/stats.ts";
import { topic } from "./scopes/topic.ts";

const READERS: Readonly<Record<Exclude<ScopeName, "query">, ScopeReader>> = {
  pending,
  conflicts,
  entity,
  labels,
  label,
  concept,
  recent,
  stats,
  events,
  bootstrap,
  topic,
};

/** Concepts that a `query:` section holds. */
const QUERY_CONCEPTS = 10;

/** What the sections need before the transaction: the vectors of `query:` scopes, by key. */
export type PreparedSnapshot = ReadonlyMap<string, PreparedRecall | CairnError>;

export async function prepareSnapshot(
  context: PrepareContext,
  scopes: string | readonly string[],
): Promise<PreparedSnapshot> {
  const prepared = new Map<string, PreparedRecall | CairnError>();
  for (const parsed of parseScopes(scopes)) {
    if ("error" in parsed || parsed.scope !== "query") continue;
    prepared.set(parsed.key, await prepareQuery(context, parsed.argument));
  }
  return prepared;
}

async function prepareQuery(
  context: PrepareContext,
  query: string | undefined,
): Promise<PreparedRecall | CairnError> {
  try {
    return await prepareRecall(context, queryInput(query));
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return error;
  }
}

/** A section for each scope, keyed exactly as asked for; one that fails holds its error. */
export async function takeSnapshot(
  context: WriteContext,
  scopes: string | readonly string[],
  prepared: PreparedSnapshot,
): Promise<Record<string, Record<string, unknown>>> {
  const sections: [string, Record<string, unknown>][] = [];
  for (const parsed of parseScopes(scopes)) {
    sections.push([parsed.key, await readSection(context, parsed, prepared)]);
  }
  return Object.fromEntries(sections);
}

async function readSection(
  context: WriteContext,
  parsed: ParsedScope | FaultyScope,
  prepared: PreparedSnapshot,
): Promise<Record<string, unknown>> {
  if ("error" in parsed) return { error: parsed.error.toBody() };
  try {
    if (parsed.scope === "query") return await readQuery(context, parsed, prepared);
    return await READERS[parsed.scope](context, parsed.argument);
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { error: error.toBody() };
  }
}

async function readQuery(
  context: WriteContext,
  { key, argument }: ParsedScope,
  prepared: PreparedSnapshot,
) {
  const query = prepared.get(key);
  if (query === undefined) throw new Error("The query of a snapshot was not prepared.");
  if (isCairnError(query)) throw query;
  const found = await recall(context, queryInput(argument), query);
  return { query: argument ?? "", concepts: found.concepts };
}

function queryInput(query = "") {
  return { query, k: QUERY_CONCEPTS, episode_k: 0 };
}
