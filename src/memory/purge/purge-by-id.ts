import type { kindOfId } from "../input/item-ids.ts";
import { purgeItem } from "./purge-item.ts";
import { purgeProposal } from "./purge-proposals.ts";
import { purgeSource } from "./purge-source.ts";

/** Returns the function that purges items of a kind and returns their ids. */
export function purgeById(kind: ReturnType<typeof kindOfId>) {
  if (kind === "source" || kind === "passage") return purgeSource;
  return kind === "proposal" ? purgeProposal : purgeItem;
}
