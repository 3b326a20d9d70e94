import { sql } from "drizzle-orm";
import { listOfValues, numbersNamed, preparedQuery, type Tx } from "../../database/index.ts";
import { lazy } from "../../shared/collections.ts";
import { episodes } from "../episodes/episode.table.ts";
import { DISPUTABLE_TYPES } from "../episodes/episode-types.ts";
import { MAX_STATEMENT_CHARACTERS, Wordings } from "../language/wordings.ts";

const wordings = lazy(() => new Wordings());

/**
 * Numbers of the decisions and preferences that reject a word which they share with the query: "No malloc after
 * init" for a query about `malloc`.
 */
export async function findRejecting(
  tx: Tx,
  shared: ReadonlyMap<number, readonly string[]>,
): Promise<number[]> {
  if (shared.size === 0) return [];
  const rows = await rulesByNumber(tx).execute({ numbers: listOfValues([...shared.keys()]) });
  return rows
    .filter(({ id, content }) => {
      const { rejected } = wordings().of(content);
      const words = shared.get(id) ?? [];
      return words.some((word) =>
        wordings()
          .words(word)
          .some((stem) => rejected.has(stem)),
      );
    })
    .map(({ id }) => id);
}

const rulesByNumber = preparedQuery((tx) =>
  tx
    .select({ id: episodes.id, content: episodes.content })
    .from(episodes)
    .where(
      sql`${episodes.id} in (${numbersNamed("numbers")}) and ${inRules} and length(${episodes.content}) <= ${sql.raw(String(MAX_STATEMENT_CHARACTERS))}`,
    )
    .prepare(),
);

const inRules = sql`${episodes.episodeType} in (${sql.join(
  DISPUTABLE_TYPES.map((type) => sql`${type}`),
  sql`, `,
)})`;
