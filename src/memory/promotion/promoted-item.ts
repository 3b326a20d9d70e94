import { createHash } from "node:crypto";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { loadEpisode, requireEpisode } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { requireActiveFact } from "../facts/fact.queries.ts";
import { kindOfId } from "../input/item-ids.ts";
import { labelRecord } from "../labels/label.schema.ts";

export const PROMOTED_KEY = "promoted";

const FIELD_RULES = {
  id: "its own",
  content: "goes",
  episode_type: "goes",
  entities: "goes",
  labels: "goes",
  source_type: "goes",
  asserted_by: "goes",
  source_ref: "goes",
  session: "stays",
  occurred_at: "goes",
  plan_id: "stays",
  spec_ids: "stays",
  depends_on: "stays",
  priority: "stays",
  topic_id: "stays",
  metadata: "stays",
  processed: "its own",
  fact_id: "its own",
  valid_to: "its own",
  replaced_by: "its own",
  created_at: "its own",
  updated_at: "its own",
  deleted_at: "its own",
} as const satisfies Record<keyof EpisodeRecord, "goes" | "stays" | "its own">;

type PromotedField = {
  [Field in keyof typeof FIELD_RULES]: (typeof FIELD_RULES)[Field] extends "goes" ? Field : never;
}[keyof typeof FIELD_RULES];

export const promotedContent = z.object({
  content: z.string(),
  episode_type: z.string(),
  entities: z.array(z.string()),
  labels: z.array(labelRecord),
  asserted_by: z.string().optional(),
  source_type: z.string().optional(),
  source_ref: z.string().optional(),
  occurred_at: z.string(),
  metadata: z.object({
    promoted: z.object({ from: z.string(), remembered_at: z.string(), updated_at: z.string() }),
  }),
} satisfies Record<PromotedField | "metadata", z.ZodType>);

export type PromotedContent = z.output<typeof promotedContent>;

export interface PromotedItem {
  readonly id: string;
  readonly goes: PromotedContent;
  /** Non-empty fields that are not copied. */
  readonly omitted: readonly string[];
  readonly key: string;
}

/** Throws for items that cannot be promoted, listing the kinds that can. */
export async function loadPromoted(tx: Tx, id: string, database: string): Promise<PromotedItem> {
  const it = await loadEpisode(tx, await requireNumber(tx, id));
  if (it.valid_to !== undefined) {
    const cure = it.replaced_by === undefined ? "" : ` Promote its replacement: ${it.replaced_by}.`;
    throw stateConflict(`id: ${id} is invalid since ${it.valid_to}.${cure}`);
  }
  const goes = {
    content: it.content,
    episode_type: it.episode_type,
    entities: it.entities,
    labels: it.labels.filter(({ key }) => key !== PROMOTED_KEY),
    asserted_by: it.asserted_by ?? undefined,
    source_type: it.source_type ?? undefined,
    source_ref: it.source_ref ?? undefined,
    occurred_at: it.occurred_at ?? it.created_at,
    metadata: {
      promoted: {
        from: `${database}/${it.id}`,
        remembered_at: it.created_at,
        updated_at: it.updated_at,
      },
    },
  } satisfies { readonly [Field in PromotedField | "metadata"]: unknown };
  const identity = JSON.stringify([database, it.id, it.created_at]);
  const key = `promote:${createHash("sha256").update(identity).digest("hex")}`;
  return { id: it.id, goes, omitted: describeRemaining(it), key };
}

function describeRemaining(episode: EpisodeRecord): string[] {
  return Object.entries(FIELD_RULES).flatMap(([field, fate]) => {
    const value = episode[field as keyof EpisodeRecord];
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return fate !== "stays" || isEmpty ? [] : [field === "topic_id" ? "topic" : field];
  });
}

async function requireNumber(tx: Tx, id: string): Promise<number> {
  const kind = kindOfId(id);
  if (kind === "fact") return (await requireActiveFact(tx, id, "id")).episodeId;
  if (kind === "concept") {
    throw invalidInput(
      `id: "${id}" is not the id of an episode or a fact. A concept depends on episodes that would not be copied: ` +
        `promote these and create the concept there. \`cairn show ${id}\` lists them.`,
    );
  }
  return (await requireEpisode(tx, id, "id")).id;
}
