import type { Tx } from "../../../database/index.ts";
import { matchTexts } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import type { PassageScope } from "./passage-scope.ts";

/** Number of commits of an answer are looked up; later ones are seldom read. */
const LOOKED_UP = 6;
/** Number of passages that contain the words of a commit's subject are searched for the revert. */
const CANDIDATES = 8;

/**
 * The passages that reverted commits, by the ids of those commits. A revert quotes the subject of
 * its commit (`Revert "…"`), so a word search finds it in any length of history.
 */
export async function takenBack(
  tx: Tx,
  scope: PassageScope,
  records: readonly PassageRecord[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const record of records.filter(({ role }) => role === "commit").slice(0, LOOKED_UP)) {
    const by = await takingBack(tx, scope, record);
    if (by !== undefined && (await takingBack(tx, scope, by)) === undefined) {
      found.set(record.id, by.id);
    }
  }
  return found;
}

async function takingBack(
  tx: Tx,
  scope: PassageScope,
  { id, text }: PassageRecord,
): Promise<PassageRecord | undefined> {
  const [subject = ""] = text.split("\n", 1);
  const query = { kind: "passage", visible: scope, most: CANDIDATES } as const;
  const matches = (await matchTexts(tx, queryWords(`revert ${subject}`), [query])).passage;
  const others = await loadPassages(
    tx,
    matches.map(({ number }) => number),
  );
  return others.find(({ reverts, deleted_at }) => reverts === id && deleted_at === null);
}
