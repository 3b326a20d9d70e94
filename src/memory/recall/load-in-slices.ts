import { type Tx, withTimeLimit } from "../../database/index.ts";
import type { Deadline } from "../../shared/deadline.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { Activation } from "./activation.ts";
import { loadRecalled, type RecalledItems, type ResultSearch } from "./load-results.ts";
import type { Ranked } from "./rank.ts";
import type { RecalledConcept, RecalledEpisode } from "./recall.schema.ts";
import type { ActivatedConcept } from "./spread-activation.ts";
import { unlessLate } from "./unless-late.ts";

/** Number of records are read between two checks of the time: about 2 ms. */
const OF_A_SLICE = { concepts: 5, episodes: 20 };
/** Milliseconds that reading the found items may take after time is up. */
const GRACE_MS = 8;

interface RankedItems {
  readonly concepts: readonly Ranked<ActivatedConcept>[];
  readonly episodes: readonly Ranked<Activation>[];
}

interface LoadedItems extends RecalledItems {
  /** False when time ran out before all were read. */
  readonly isWhole: boolean;
}

/** Loads the records of the ranked items: all at once, or the best ones that can be read in time. */
export async function loadInSlices(
  tx: Tx,
  ranked: RankedItems,
  search: ResultSearch & { readonly deadline: Deadline | undefined },
): Promise<LoadedItems> {
  const { deadline } = search;
  if (deadline === undefined) return { ...(await loadRecalled(tx, ranked, search)), isWhole: true };
  const concepts: RecalledConcept[] = [];
  const episodes: RecalledEpisode[] = [];
  const conflicts = new Map<string, ConflictRecord>();
  const overdue = deadline.extendedBy(GRACE_MS);
  const isOverdue = () => overdue.isPast;
  const whole = () => ({ concepts, episodes, conflicts: [...conflicts.values()] });
  for (
    let slice = 0;
    slice * OF_A_SLICE.concepts < ranked.concepts.length ||
    slice * OF_A_SLICE.episodes < ranked.episodes.length;
    slice += 1
  ) {
    const wanted = sliceOf(ranked, slice);
    const first = slice === 0;
    const isLate = first ? isOverdue : () => deadline.isPast;
    const loaded = await withTimeLimit(tx, isLate, () =>
      unlessLate({ isLate }, () => loadRecalled(tx, wanted, search), undefined),
    );
    const kept =
      loaded ?? (first ? await loadRecalled(tx, { ...wanted, concepts: [] }, search) : undefined);
    concepts.push(...(kept?.concepts ?? []));
    episodes.push(...(kept?.episodes ?? []));
    for (const conflict of kept?.conflicts ?? []) conflicts.set(conflict.id, conflict);
    if (loaded === undefined) return { ...whole(), isWhole: false };
  }
  return { ...whole(), isWhole: true };
}

function sliceOf({ concepts, episodes }: RankedItems, slice: number): RankedItems {
  const part = <Item>(items: readonly Item[], size: number) =>
    items.slice(slice * size, (slice + 1) * size);
  return {
    concepts: part(concepts, OF_A_SLICE.concepts),
    episodes: part(episodes, OF_A_SLICE.episodes),
  };
}
