import { eq } from "drizzle-orm";
import { stateConflict } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { requireTopic, topicUses } from "./topic.queries.ts";
import { topics } from "./topic.table.ts";

/** Deletes the topic and returns its id. Throws state_conflict if an item uses it. */
export async function deleteUnusedTopic(
  context: WriteContext,
  idOrName: string,
  field: string,
): Promise<string> {
  const { tx } = context;
  const { id } = await requireTopic(tx, idOrName, field);
  const uses = await topicUses(tx, id);
  if (uses > 0) {
    throw stateConflict(
      `${field}: "${id}" is used by ${uses} episode(s) or concept(s), deleted ones included; give those another topic first`,
    );
  }
  await tx.delete(topics).where(eq(topics.id, id));
  await context.emit({ kind: "deleted", subjectType: "topic", subjectId: id });
  return id;
}
