import { eq } from "drizzle-orm";
import { invalidInput } from "../../shared/errors.ts";
import { refreshClusterOfEpisode } from "../concepts/refresh-cluster.ts";
import type { WriteContext } from "../context/write-context.ts";
import { ensureEntities } from "../entities/entity.queries.ts";
import { setEpisodeEntities } from "../entities/mention.queries.ts";
import { entityKey } from "../facts/cluster-entities.ts";
import { updateTitleFromEpisode } from "../facts/cluster-title.ts";
import { loadFactOfEpisode, statementHash } from "../facts/fact.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { updateValidFrom } from "../facts/supersede-fact.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { labelText } from "../input/parse-labels.ts";
import { replaceLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import {
  type EpisodeRow,
  requireEpisode,
  requireEpisodes,
  setEpisodeLinks,
} from "./episode.queries.ts";
import type { PRIORITIES } from "./episode.schema.ts";
import { episodes } from "./episode.table.ts";
import { CLAIMING_TYPES, FACT_TYPE } from "./episode-types.ts";
import { checkEpisodeType } from "./remember-episode.ts";

export interface EpisodeChanges {
  readonly episode_id: string;
  readonly content?: string | undefined;
  readonly episode_type?: string | undefined;
  readonly entities?: readonly EntityName[] | undefined;
  readonly plan_id?: string | undefined;
  readonly spec_ids?: readonly string[] | undefined;
  readonly depends_on?: readonly string[] | undefined;
  readonly priority?: (typeof PRIORITIES)[number] | "" | undefined;
  readonly labels?: readonly LabelRecord[] | undefined;
  readonly occurred_at?: string | undefined;
}

export async function updateEpisodeFields(
  context: WriteContext,
  changes: EpisodeChanges,
): Promise<number> {
  const { tx, now } = context;
  const { episode_id: id, ...fields } = changes;
  const values = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (values.length === 0) {
    throw invalidInput(`update: names no field to change; give at least one of content, labels, …`);
  }
  const row = await requireEpisode(tx, id, "episode_id");
  if (fields.content !== undefined) checkTextSize(context.limits, "content", fields.content);
  if (fields.episode_type !== undefined) await checkTypeChange(context, row, fields.episode_type);
  const plan = fields.plan_id ? await requireEpisode(tx, fields.plan_id, "plan_id") : undefined;
  if (plan?.id === row.id) throw invalidInput("plan_id: an episode cannot be its own plan");
  await tx
    .update(episodes)
    .set({
      updatedAt: now,
      ...(fields.content !== undefined && { content: fields.content, processed: false }),
      ...(fields.episode_type !== undefined && { episodeType: fields.episode_type }),
      ...(fields.plan_id !== undefined && { planId: plan?.id ?? null }),
      ...(fields.priority !== undefined && { priority: fields.priority || null }),
      ...(fields.occurred_at !== undefined && { occurredAt: fields.occurred_at }),
    })
    .where(eq(episodes.id, row.id));
  await updateFact(context, row, fields);
  await updateTitleFromEpisode(context, { episode: row.id, formerText: row.content });
  await updateConnections(context, row, fields);
  context.touch("episode", row.id);
  await context.emit({
    kind: "updated",
    subjectType: "episode",
    subjectId: id,
    payload: { op: "update", fields: values.map(([name]) => name) },
    about: (fields.labels ?? []).map(labelText),
  });
  return row.id;
}

async function checkTypeChange(
  context: WriteContext,
  row: EpisodeRow,
  type: string,
): Promise<void> {
  checkEpisodeType(context, type);
  if (type === row.episodeType) return;
  if (type === FACT_TYPE || row.episodeType === FACT_TYPE) {
    throw invalidInput(
      "episode_type: an episode cannot be changed to or from fact; remember it again and delete this one",
    );
  }
  if (CLAIMING_TYPES.includes(type)) return;
  if ((await loadFactOfEpisode(context.tx, row.id)) === undefined) return;
  throw invalidInput(
    `episode_type: this episode was replaced or disputed, so its type must remain one of ${CLAIMING_TYPES.join(", ")}`,
  );
}

async function updateFact(
  context: WriteContext,
  row: EpisodeRow,
  fields: Omit<EpisodeChanges, "episode_id">,
): Promise<void> {
  const { tx } = context;
  const fact = await loadFactOfEpisode(tx, row.id);
  if (fact === undefined) return;
  if (fields.occurred_at !== undefined) {
    await updateValidFrom(context, fact, fields.occurred_at);
  }
  const set = {
    ...(fields.content !== undefined && { statementHash: statementHash(fields.content) }),
    ...(fields.occurred_at !== undefined && { validFrom: fields.occurred_at }),
  };
  if (Object.keys(set).length > 0) {
    await tx.update(facts).set(set).where(eq(facts.episodeId, row.id));
  }
}

async function replaceEntities(
  context: WriteContext,
  row: EpisodeRow,
  names: readonly EntityName[],
): Promise<void> {
  const { tx, now } = context;
  const entityRows = await ensureEntities(tx, names, now);
  await setEpisodeEntities(tx, row.id, entityRows);
  const key = entityKey(entityRows.map((entity) => entity.id));
  await tx.update(facts).set({ entityKey: key }).where(eq(facts.episodeId, row.id));
  await refreshClusterOfEpisode(context, row.id);
}

async function updateConnections(
  context: WriteContext,
  row: EpisodeRow,
  fields: Omit<EpisodeChanges, "episode_id">,
): Promise<void> {
  const { tx } = context;
  if (fields.entities !== undefined) {
    await replaceEntities(context, row, fields.entities);
  }
  if (fields.labels !== undefined) {
    const subject = { type: "episode", number: row.id } as const;
    await replaceLabels(tx, subject, fields.labels);
  }
  for (const [kind, field, ids] of [
    ["spec", "spec_ids", fields.spec_ids],
    ["depends_on", "depends_on", fields.depends_on],
  ] as const) {
    if (ids === undefined) continue;
    const targets = await requireEpisodes(tx, ids, field);
    if (targets.some((target) => target.id === row.id)) {
      throw invalidInput(`${field}: an episode cannot name itself`);
    }
    await setEpisodeLinks(
      tx,
      { episode: row.id, kind },
      targets.map((target) => target.id),
    );
  }
}
