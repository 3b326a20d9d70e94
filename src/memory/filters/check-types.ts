import { sql } from "drizzle-orm";
import { rowsOf } from "../../database/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { concepts } from "../concepts/concept.table.ts";
import { holdsEpisodeType } from "../episodes/episode.queries.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";
import type { FilterContext } from "./define-filter.ts";

/** Types of concepts are free, so those that exist are asked for. Throws invalid_input. */
export async function checkTypes(context: FilterContext, types: readonly string[]): Promise<void> {
  const fixed = [...context.episodeTypes, ...ENTITY_TYPES];
  const unknown = types.filter((type) => !fixed.includes(type));
  if (unknown.length === 0) return;
  const rows = await rowsOf<[type: string]>(
    context.tx,
    sql`select distinct ${concepts.type} from ${concepts}`,
  );
  const known = [...new Set([...fixed, ...rows.map(([type]) => type)])];
  for (const type of unknown.filter((one) => !known.includes(one))) {
    // What is stored can be asked for, whether or not this process would write it.
    if (await holdsEpisodeType(context.tx, type)) continue;
    throw invalidInput(
      `type: "${type}" is the type of no episode, concept or entity.${didYouMean(type, known)}`,
    );
  }
}
