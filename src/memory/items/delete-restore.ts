import { eq } from "drizzle-orm";
import { stateConflict } from "../../shared/errors.ts";
import { concepts } from "../concepts/concept.table.ts";
import { refreshClusterOfEpisode } from "../concepts/refresh-cluster.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodes } from "../episodes/episode.table.ts";
import { updateTitleFromEpisode } from "../facts/cluster-title.ts";
import { countActiveFacts, loadFactOfEpisode } from "../facts/fact.queries.ts";
import type { Subject } from "./require-subject.ts";

export async function deleteSubject(
  context: WriteContext,
  subject: Subject,
  id: string,
): Promise<void> {
  const { tx, now } = context;
  if (subject.row.deletedAt !== null) throw stateConflict(`id: ${id} is already deleted`);
  if (subject.type === "concept") {
    const active = await countActiveFacts(tx, subject.number);
    if (active > 0) {
      throw stateConflict(
        `id: ${id} is a cluster with ${active} active fact(s); supersede or delete those first`,
      );
    }
  }
  await setDeletedAt(context, subject, now);
  await context.emit({ kind: "deleted", subjectType: subject.type, subjectId: id });
}

export async function restoreSubject(
  context: WriteContext,
  subject: Subject,
  id: string,
): Promise<void> {
  if (subject.row.deletedAt === null) throw stateConflict(`id: ${id} is not deleted`);
  const [purged] = await context.tx.select().from(purgedItems).where(eq(purgedItems.item, id));
  if (purged !== undefined) throw stateConflict(`id: ${id} was purged and cannot be restored`);
  if (subject.type === "episode") await requireLiveCluster(context, subject.number, id);
  await setDeletedAt(context, subject, null);
  await context.emit({ kind: "restored", subjectType: subject.type, subjectId: id });
}

async function setDeletedAt(
  context: WriteContext,
  subject: Subject,
  deletedAt: string | null,
): Promise<void> {
  const { tx, now } = context;
  const table = subject.type === "episode" ? episodes : concepts;
  await tx.update(table).set({ deletedAt, updatedAt: now }).where(eq(table.id, subject.number));
  if (subject.type === "episode") {
    await refreshClusterOfEpisode(context, subject.number);
    const formerText = subject.row.content;
    await updateTitleFromEpisode(context, { episode: subject.number, formerText });
  }
  context.touch(subject.type, subject.number);
}

async function requireLiveCluster(
  { tx }: WriteContext,
  episodeNumber: number,
  id: string,
): Promise<void> {
  const fact = await loadFactOfEpisode(tx, episodeNumber);
  if (fact === undefined) return;
  const [cluster] = await tx.select().from(concepts).where(eq(concepts.id, fact.clusterId));
  if (cluster === undefined || cluster.deletedAt === null) return;
  throw stateConflict(`id: the cluster of ${id} is deleted; restore ${cluster.publicId} first`);
}
