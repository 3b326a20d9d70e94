import { episodeId, factId } from "../input/item-ids.ts";
import type { FactRecord } from "./fact.schema.ts";

export interface StoredFact {
  readonly id: number;
  readonly content: string;
  readonly status: FactRecord["status"];
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly supersededBy: number | null;
  readonly supersededAt: string | null;
  readonly assertedBy: string | null;
  readonly sourceRef: string | null;
  readonly createdAt: string;
}

export function toFactRecord(
  fact: StoredFact,
  of: { readonly cluster: string; readonly episode: number; readonly entities: string[] },
): FactRecord {
  return {
    id: factId(fact.id),
    cluster_id: of.cluster,
    episode_id: episodeId(of.episode),
    statement: fact.content,
    entities: of.entities,
    status: fact.status,
    valid_from: fact.validFrom,
    valid_to: fact.validTo,
    superseded_by: fact.supersededBy === null ? null : factId(fact.supersededBy),
    superseded_at: fact.supersededAt ?? fact.validTo,
    asserted_by: fact.assertedBy,
    source_ref: fact.sourceRef,
    created_at: fact.createdAt,
  };
}
