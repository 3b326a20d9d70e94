import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { notFound } from "../../../kernel/errors.ts";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { evidence } from "../../concepts/concept.table.ts";
import { findEpisode } from "../../episodes/episode.queries.ts";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";

export const unlink = defineOperation({
  name: "unlink",
  summary: "Remove the evidence link between a concept and an episode",
  target: "concept",
  kind: "write",
  input: z.strictObject({
    concept: idOf("concept"),
    episode: idOf("episode"),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ concept_id: z.string(), episode_id: z.string() }),
  mcp: { interfaces: false, destructive: true },
  rest: { method: "DELETE", path: "/concepts/{concept}/evidence/{episode}" },
  confirm: ({ concept, episode }) => `${episode} is no longer evidence for ${concept}.`,
  cli: { positionals: ["concept", "episode"], example: "cairn unlink CONCEPT ep:1" },
  changeset: { op: "unlink", nameless: true },
  async run(context, input) {
    const { tx } = context;
    const concept = await requireConcept(tx, input.concept, "concept");
    const episode = await findEpisode(tx, input.episode, "episode");
    const removed = await tx
      .delete(evidence)
      .where(and(eq(evidence.conceptId, concept.id), eq(evidence.episodeId, episode.id)))
      .returning();
    if (removed.length === 0) {
      throw notFound(`episode: ${input.episode} is no evidence of ${input.concept}`);
    }
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: concept.publicId,
      payload: { op: "unlink", concept: concept.publicId, episode: input.episode },
    });
    return { concept_id: concept.publicId, episode_id: input.episode };
  },
});
