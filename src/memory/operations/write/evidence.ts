import { z } from "zod";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { EVIDENCE_TYPES, evidence as evidenceTable } from "../../concepts/concept.table.ts";
import { requireEpisode } from "../../episodes/episode.queries.ts";
import { idOf, noteField, strengthField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";

/** Verbs that name the same four types. */
const VERBS = {
  supports: "supporting",
  contradicts: "contradicting",
  exemplifies: "exemplifying",
  qualifies: "qualifying",
} as const;

const isVerb = (type: string): type is keyof typeof VERBS => Object.hasOwn(VERBS, type);

const evidenceType = z
  .enum([...EVIDENCE_TYPES, ...(Object.keys(VERBS) as (keyof typeof VERBS)[])])
  .transform((type) => (isVerb(type) ? VERBS[type] : type));

export const evidence = defineOperation({
  name: "evidence",
  summary: "Say how an episode bears on a concept; the same pair again replaces it",
  target: "concept",
  kind: "write",
  input: z.strictObject({
    concept: idOf("concept"),
    episode: idOf("episode"),
    type: evidenceType.describe("supporting, contradicting, exemplifying or qualifying."),
    strength: strengthField.default(0.5),
    note: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({
    concept_id: z.string(),
    episode_id: z.string(),
    type: z.enum(EVIDENCE_TYPES),
    strength: z.number(),
    note: z.string().nullable(),
  }),
  mcp: { interfaces: false, idempotent: true },
  rest: { method: "POST", path: "/concepts/{concept}/evidence" },
  confirm: ({ concept, episode, type }) => `${episode} is evidence for ${concept} now (${type}).`,
  cli: {
    positionals: ["concept", "episode", "type"],
    example: "cairn evidence CONCEPT ep:1 supporting --strength 0.8",
  },
  changeset: { op: "evidence", text: "note", nameless: true, aliases: { reason: "note" } },
  async run(context, input) {
    const { tx, now } = context;
    const concept = await requireConcept(tx, input.concept, "concept");
    const episode = await requireEpisode(tx, input.episode, "episode");
    const bearing = { type: input.type, strength: input.strength, note: input.note ?? null };
    await tx
      .insert(evidenceTable)
      .values({ conceptId: concept.id, episodeId: episode.id, ...bearing, createdAt: now })
      .onConflictDoUpdate({
        target: [evidenceTable.conceptId, evidenceTable.episodeId],
        set: bearing,
      });
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: concept.publicId,
      payload: { op: "evidence", concept: concept.publicId, episode: input.episode, ...bearing },
    });
    return { concept_id: concept.publicId, episode_id: input.episode, ...bearing };
  },
});
