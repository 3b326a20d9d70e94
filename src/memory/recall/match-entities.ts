import { and, asc, eq, or, sql } from "drizzle-orm";
import { listOfValues, preparedQuery, type Tx, textsParameter } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import type { EntityRow } from "../entities/entity.queries.ts";
import { entities } from "../entities/entity.table.ts";
import { ENTITY_TYPES } from "../input/parse-entity.ts";
import { isStopWord, splitWords } from "../search/query-words.ts";

const MAX_WORDS = 64;
const MAX_NAME_WORDS = 5;
const EDGE_PUNCTUATION = /^["'`([{<]+|[."'`)\]}>,;:!?…]+$/gu;
const TYPED_NAME = new RegExp(`^(${ENTITY_TYPES.join("|")}):(.+)$`, "iu");

/**
 * Finds entities whose name occurs in the text as consecutive words or as `type:name`. File names
 * match exactly, other names case-insensitively. Names of only stop words never match.
 */
export async function matchEntities(tx: Tx, text: string): Promise<EntityRow[]> {
  const named = findNames(text);
  const rows =
    named.keys.length === 0
      ? []
      : await entitiesWithKeys(tx).execute({ keys: listOfValues(named.keys) });
  const typed = await loadInBatches(named.typed, (slice) =>
    tx
      .select()
      .from(entities)
      .where(
        or(...slice.map(({ type, key }) => and(eq(entities.type, type), eq(entities.key, key)))),
      )
      .orderBy(asc(entities.id)),
  );
  return [...new Map([...rows, ...typed].map((row) => [row.id, row])).values()];
}

const entitiesWithKeys = preparedQuery((tx) =>
  tx
    .select()
    .from(entities)
    .where(sql`${entities.key} in (${textsParameter("keys")})`)
    .prepare(),
);

interface Names {
  readonly keys: readonly string[];
  readonly typed: readonly { readonly type: string; readonly key: string }[];
}

export function findNames(text: string): Names {
  const written = text
    .normalize("NFC")
    .split(/\s+/u)
    .map((token) => token.replace(EDGE_PUNCTUATION, ""))
    .filter(Boolean)
    .slice(0, MAX_WORDS);
  const words = splitWords(text).slice(0, MAX_WORDS);
  const runs = new Map([...listWordRuns(written), ...listWordRuns(words)]);
  const typed = [...runs.keys()].flatMap((run) => {
    if (!run.includes(":")) return [];
    const [, type, name] = TYPED_NAME.exec(run) ?? [];
    if (type === undefined || name === undefined) return [];
    return [name, name.toLowerCase()].map((key) => ({ type: type.toLowerCase(), key }));
  });
  const keys = new Set<string>();
  for (const [run, saysSomething] of runs) {
    if (!saysSomething) continue;
    keys.add(run);
    keys.add(run.toLowerCase());
  }
  return { keys: [...keys], typed };
}

function listWordRuns(words: readonly string[]): [run: string, saysSomething: boolean][] {
  const saying = words.map((word) => !splitWords(word).every(isStopWord));
  return words.flatMap((_, start) => {
    let run = "";
    let saysSomething = false;
    return words.slice(start, start + MAX_NAME_WORDS).map((word, more): [string, boolean] => {
      run = more === 0 ? word : `${run} ${word}`;
      saysSomething ||= saying[start + more] === true;
      return [run, saysSomething];
    });
  });
}
