import { sql } from "drizzle-orm";
import type { z } from "zod";
import { rowsOf, type Tx } from "../../database/index.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { parseMoment } from "../../kernel/moment.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import { concepts } from "../concepts/concept.table.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { filterFields, ItemFilter } from "./filters.ts";

/** What a caller gave for the fields of a filter. */
export type GivenFilter = z.output<z.ZodObject<typeof filterFields>>;

export interface FilterContext {
  readonly tx: Tx;
  /** Timestamp. */
  readonly now: string;
  readonly episodeTypes: readonly string[];
}

/** Times resolved, topics and types looked up. Throws invalid_input and not_found with the cure. */
export async function resolveFilter(
  context: FilterContext,
  given: GivenFilter,
): Promise<ItemFilter> {
  const { tx } = context;
  const now = new Date(context.now);
  const moment = (text: string | undefined, side: "start" | "end") =>
    text === undefined ? undefined : parseMoment(text, side, now);
  const since = moment(given.since, "start");
  const until = moment(given.until, "end");
  if (since !== undefined && until !== undefined && since > until) {
    throw invalidInput(`since: ${since} is after until: ${until}; swap the two`);
  }
  if (given.type !== undefined) await checkTypes(context, given.type);
  return {
    since,
    until,
    by: given.by,
    type: given.type,
    entity: given.entity,
    labels: given.labels,
    topic: given.topic && (await topicIds(tx, given.topic)),
    session: given.session,
    pending: given.pending,
    has: given.has,
    text: given.text?.trim() === "" ? undefined : given.text,
  };
}

async function topicIds(tx: Tx, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await requireTopic(tx, name, "topic")).id);
  return ids;
}

/** Types of concepts are free, so those that exist are asked for. */
async function checkTypes(context: FilterContext, types: readonly string[]): Promise<void> {
  const fixed = [...context.episodeTypes, ...ENTITY_TYPES];
  const unknown = types.filter((type) => !fixed.includes(type));
  if (unknown.length === 0) return;
  const rows = await rowsOf<[type: string]>(
    context.tx,
    sql`select distinct ${concepts.type} from ${concepts}`,
  );
  const known = [...new Set([...fixed, ...rows.map(([type]) => type)])];
  const wrong = unknown.find((type) => !known.includes(type));
  if (wrong === undefined) return;
  throw invalidInput(
    `type: "${wrong}" is the type of no episode, concept or entity.${didYouMean(wrong, known)}`,
  );
}
