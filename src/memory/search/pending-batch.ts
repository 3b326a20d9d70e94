import type { Tx } from "../../database/index.ts";
import type { TextInContext } from "../../embedding/index.ts";
import { INDEXED_KINDS } from "../context/indexed-kind.ts";
import { claimPending, type PendingItem } from "./claim-pending.ts";
import { loadSearchable } from "./load-searchable.ts";
import { loadPrecedingTexts } from "./preceding-text.ts";
import type { VectorWork } from "./vector-work.ts";

export interface PendingText extends TextInContext {
  readonly item: PendingItem;
}

/** Claims items that wait for a vector, with the texts to make it from. */
export async function nextBatch(
  tx: Tx,
  size: number,
  { onlyUrgent = false }: VectorWork,
): Promise<PendingText[]> {
  const items = await claimPending(tx, { size, onlyUrgent });
  const batch: PendingText[] = [];
  for (const kind of INDEXED_KINDS) {
    const ofKind = items.filter((item) => item.kind === kind);
    const texts = await loadSearchable(
      tx,
      kind,
      ofKind.map((item) => item.itemId),
    );
    const byNumber = new Map(texts.map((text) => [text.number, text.embeddingText]));
    const before = await loadPrecedingTexts(tx, kind, [...byNumber.keys()]);
    for (const item of ofKind) {
      const number = item.itemId;
      batch.push({ item, text: byNumber.get(number) ?? "", before: before.get(number) ?? "" });
    }
  }
  return batch;
}
