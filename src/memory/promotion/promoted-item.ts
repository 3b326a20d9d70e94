import { createHash } from "node:crypto";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { invalidInput, stateConflict } from "../../kernel/errors.ts";
import { loadEpisode, requireEpisode } from "../episodes/episode.queries.ts";
import { requireActiveFact } from "../facts/fact.queries.ts";
import { kindOfId } from "../input/item-ids.ts";
import { labelRecord } from "../labels/label.schema.ts";

/** What says in the nearer layer to which farther one an item went. */
export const PROMOTED = "promoted";

/** All that travels to a farther layer; nothing that is not named here does. */
export const travelling = z.object({
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
});

export type Travelling = z.output<typeof travelling>;

export interface PromotedItem {
  /** Of the episode that says it. */
  readonly id: string;
  readonly goes: Travelling;
  /** Fields that have a value and stay. */
  readonly stays: readonly string[];
  /** The same for the same item, however often it is asked for. */
  readonly key: string;
}

/** The item as it goes to another layer. Throws for what cannot go, and says what can. */
export async function loadPromoted(tx: Tx, id: string, database: string): Promise<PromotedItem> {
  const it = await loadEpisode(tx, await numberOf(tx, id));
  if (it.valid_to !== undefined) {
    const cure =
      it.replaced_by === undefined ? "" : ` Promote what holds instead: ${it.replaced_by}.`;
    throw stateConflict(`id: ${id} ceased to hold at ${it.valid_to}.${cure}`);
  }
  const goes = {
    content: it.content,
    episode_type: it.episode_type,
    entities: it.entities,
    labels: it.labels.filter(({ key }) => key !== PROMOTED),
    ...(it.asserted_by !== null && { asserted_by: it.asserted_by }),
    ...(it.source_type !== null && { source_type: it.source_type }),
    ...(it.source_ref !== null && { source_ref: it.source_ref }),
    // From then on a fact holds, wherever it stands.
    occurred_at: it.occurred_at ?? it.created_at,
    metadata: {
      promoted: {
        from: `${database}/${it.id}`,
        remembered_at: it.created_at,
        updated_at: it.updated_at,
      },
    },
  };
  const staying = { session: it.session, topic: it.topic_id, metadata: it.metadata };
  const stays = Object.entries(staying).flatMap(([field, value]) =>
    value === null ? [] : [field],
  );
  const identity = JSON.stringify([database, it.id, it.created_at]);
  const key = `promote:${createHash("sha256").update(identity).digest("hex")}`;
  return { id: it.id, goes, stays, key };
}

/** Number of the episode that says it. */
async function numberOf(tx: Tx, id: string): Promise<number> {
  const kind = kindOfId(id);
  if (kind === "fact") return (await requireActiveFact(tx, id, "id")).episodeId;
  if (kind === "concept") {
    throw invalidInput(
      `id: "${id}" is not the id of an episode or a fact. A concept rests on episodes that would stay behind: ` +
        `promote these, and make it anew there. \`cairn show ${id}\` lists them.`,
    );
  }
  return (await requireEpisode(tx, id, "id")).id;
}
