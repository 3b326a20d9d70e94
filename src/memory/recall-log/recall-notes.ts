import { isPlainObject, type JsonObject } from "../../shared/json.ts";
import type { ExecuteOptions, Surface } from "../context/execute-options.ts";
import { selectShownFacts } from "../recall/format-for-agent.ts";
import type { RecallOutput } from "../recall/recall.schema.ts";
import type { LoggedItem, LoggedRecall } from "./logged-recall.ts";

export const PAGE_NOTE = "page";

export function createRecallNotes(
  input: unknown,
  { surface, client, session, caller }: ExecuteOptions & { readonly surface: Surface },
  { found, leftOut }: { readonly found: RecallOutput; readonly leftOut: readonly LoggedItem[] },
): LoggedRecall {
  const { query, ...others } = isPlainObject(input) ? input : {};
  return {
    way: surface,
    client,
    session,
    askedBy: caller?.name,
    question: typeof query === "string" ? query : undefined,
    asked: Object.keys(others).length === 0 ? undefined : (others as JsonObject),
    items: [...listReturnedItems(found), ...leftOut.map((item) => ({ ...item, isCut: true }))],
  };
}

function listReturnedItems({ concepts, episodes, passages = [] }: RecallOutput): LoggedItem[] {
  const items = [
    ...concepts.flatMap((concept) => [
      { id: concept.id, score: concept.score },
      ...selectShownFacts(concept).map((fact) => ({ id: fact.episode_id, score: concept.score })),
    ]),
    ...episodes.map(({ id, score }) => ({ id, score })),
    ...passages.map(({ id, score }) => ({ id, score })),
  ].sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}
