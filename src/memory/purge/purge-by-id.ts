import type { kindOfId } from "../input/item-ids.ts";
import { purgeItem } from "./purge-item.ts";
import { purgeProposal } from "./purge-proposals.ts";
import { purgeSource } from "./purge-source.ts";

export function purgeById(kind: ReturnType<typeof kindOfId>) {
  if (kind === "source" || kind === "passage") return purgeSource;
  return kind === "proposal" ? purgeProposal : purgeItem;
}
