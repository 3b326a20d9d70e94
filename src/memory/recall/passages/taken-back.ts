import type { Tx } from "../../../database/index.ts";
import { matchTexts } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import type { PassageScope } from "./passage-scope.ts";

/** Commits of an answer that are looked up; those that follow are hardly read. */
const LOOKED_UP = 6;
/** Passages with the words of a commit's subject among which is the one that takes it back. */
const CANDIDATES = 8;

/**
 * The passages by which commits were taken back, by the ids of those commits. Whatever takes a commit
 * back names it (`Revert "…"`), so that its words find it, however long the history is.
 */
export async function takenBack(
  tx: Tx,
  scope: PassageScope,
  records: readonly PassageRecord[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const record of records.filter(({ role }) => role === "commit").slice(0, LOOKED_UP)) {
    const by = await takingBack(tx, scope, record);
    // What was taken back and then brought back holds again.
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
