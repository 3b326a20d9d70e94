import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { notFound } from "../../../shared/errors.ts";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { relationRecord } from "../../concepts/concept.schema.ts";
import { EVIDENCE_TYPES, evidence as evidenceTable } from "../../concepts/concept.table.ts";
import { upsertRelation } from "../../concepts/relations.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { findEpisode, requireEpisode } from "../../episodes/episode.queries.ts";
import { idOf, nameField, noteField, strengthField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { createFormFunctions } from "../define-form.ts";
import { defineOperation } from "../define-operation.ts";

export const link = defineOperation({
  name: "link",
  summary: "Relate one concept to another",
  target: "from",
  kind: "write",
  input: z.strictObject({
    from: idOf("concept"),
    to: idOf("concept"),
    type: nameField.describe("implies, supersedes, or any other."),
    strength: strengthField.default(1),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), relation: relationRecord }),
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ from, to, type }) => `Linked ${from} → ${to} (${type}).`,
  cli: {
    command: "concept link",
    positionals: ["from", "to", "type"],
    example: "cairn concept link CONCEPT OTHER implies",
  },
  changeset: { op: "link", nameless: true, aliases: { source: "from", target: "to" } },
  async run(context, input) {
    const source = await requireConcept(context.tx, input.from, "from");
    const target = await requireConcept(context.tx, input.to, "to");
    const relation = { type: input.type, strength: input.strength };
    await upsertRelation(context, source, { target, ...relation });
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: source.publicId,
      payload: { op: "link", from: source.publicId, to: target.publicId, ...relation },
    });
    return { id: source.publicId, relation: { ...relation, target_id: target.publicId } };
  },
});

const EVIDENCE_VERBS = {
  supports: "supporting",
  contradicts: "contradicting",
  exemplifies: "exemplifying",
  qualifies: "qualifying",
} as const;

const isVerb = (type: string): type is keyof typeof EVIDENCE_VERBS =>
  Object.hasOwn(EVIDENCE_VERBS, type);

const evidenceType = z
  .enum([...EVIDENCE_TYPES, ...(Object.keys(EVIDENCE_VERBS) as (keyof typeof EVIDENCE_VERBS)[])])
  .transform((type) => (isVerb(type) ? EVIDENCE_VERBS[type] : type));

interface EvidenceLink {
  readonly type: (typeof EVIDENCE_TYPES)[number];
  readonly strength: number;
  readonly note: string | null;
}

interface EvidenceChange {
  readonly concept: string;
  readonly episode: string;
  readonly link: EvidenceLink | null;
}

const pair = z.object({ concept_id: z.string(), episode_id: z.string() });
const output = pair.extend({
  type: z.enum(EVIDENCE_TYPES),
  strength: z.number(),
  note: z.string().nullable(),
});

const witnessing = createFormFunctions<
  EvidenceChange,
  z.output<typeof pair> & Partial<EvidenceLink>
>({
  name: "evidence",
  kind: "write",
  async run(context, witness) {
    const { episode, link } = witness;
    const { id: number, publicId: concept } = await requireConcept(
      context.tx,
      witness.concept,
      "concept",
    );
    if (link === null) await removeEvidence(context, witness, number);
    else await putEvidence(context, { ...witness, link }, number);
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: concept,
      payload: { op: link === null ? "unlink" : "evidence", concept, episode, ...link },
    });
    return { concept_id: concept, episode_id: episode, ...link };
  },
});

export const evidence = witnessing({
  name: "evidence",
  summary: "Link an episode to a concept as evidence; replaces an earlier link",
  target: "concept",
  input: z.strictObject({
    concept: idOf("concept"),
    episode: idOf("episode"),
    type: evidenceType.describe("supporting, contradicting, exemplifying or qualifying."),
    strength: strengthField.default(0.5),
    note: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output,
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ concept, episode, type }) => `${episode} is now evidence for ${concept} (${type}).`,
  cli: {
    command: "concept evidence",
    positionals: ["concept", "episode", "type"],
    example: "cairn concept evidence CONCEPT ep:1 supporting --strength 0.8",
  },
  changeset: { op: "evidence", text: "note", nameless: true, aliases: { reason: "note" } },
  bind: ({ concept, episode, type, strength, note = null }) => ({
    concept,
    episode,
    link: { type, strength, note },
  }),
  answer: (message) => output.parse(message),
});

export const unlink = witnessing({
  name: "unlink",
  summary: "Remove the evidence link between a concept and an episode",
  target: "concept",
  input: z.strictObject({
    concept: idOf("concept"),
    episode: idOf("episode"),
    if_match: ifMatchField.optional(),
  }),
  output: pair,
  mcp: { interfaces: false, destructive: true },
  rest: false,
  confirm: ({ concept, episode }) => `${episode} is no longer evidence for ${concept}.`,
  cli: {
    command: "concept unlink",
    positionals: ["concept", "episode"],
    example: "cairn concept unlink CONCEPT ep:1",
  },
  changeset: { op: "unlink", nameless: true },
  bind: ({ concept, episode }) => ({ concept, episode, link: null }),
});

async function putEvidence(
  { tx, now }: WriteContext,
  { episode, link }: EvidenceChange & { readonly link: EvidenceLink },
  conceptId: number,
): Promise<void> {
  const { id: episodeId } = await requireEpisode(tx, episode, "episode");
  await tx
    .insert(evidenceTable)
    .values({ conceptId, episodeId, ...link, createdAt: now })
    .onConflictDoUpdate({
      target: [evidenceTable.conceptId, evidenceTable.episodeId],
      set: link,
    });
}

async function removeEvidence(
  { tx }: WriteContext,
  { concept, episode }: EvidenceChange,
  conceptId: number,
): Promise<void> {
  const { id: episodeId } = await findEpisode(tx, episode, "episode");
  const removed = await tx
    .delete(evidenceTable)
    .where(and(eq(evidenceTable.conceptId, conceptId), eq(evidenceTable.episodeId, episodeId)))
    .returning();
  if (removed.length === 0) throw notFound(`episode: ${episode} is not evidence for ${concept}`);
}
