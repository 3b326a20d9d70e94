import type { WriteContext } from "../context/write-context.ts";
import { claimPair } from "../facts/claim-episode.ts";
import { supersedeFact } from "../facts/supersede-fact.ts";
import { factId } from "../input/item-ids.ts";

export interface Replacement {
  /** Ids of episodes. */
  readonly former: string;
  readonly winner: string;
  /** The words that say so. */
  readonly note: string;
}

/** Lets what one episode claims take the place of what another does, and says so in the feed. */
export async function replaceClaim(
  context: WriteContext,
  { former, winner: id, note }: Replacement,
): Promise<void> {
  const [old, winner] = await claimPair(context, [
    { id: former, field: "old" },
    { id, field: "new" },
  ]);
  await supersedeFact(context, { old, winner, note });
  await context.emit({
    kind: "superseded",
    subjectType: "fact",
    subjectId: factId(old.id),
    payload: { old: factId(old.id), new: factId(winner.id), note },
    about: [former, id],
  });
}
