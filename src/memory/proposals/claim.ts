import { createHash } from "node:crypto";
import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { NewEpisode } from "../episodes/remember-episode.ts";
import {
  contentField,
  entitiesField,
  labelsField,
  listField,
  metadataField,
  nameField,
  noteField,
  referenceField,
  startTimeField,
  topicField,
} from "../input/fields.ts";
import { kindOfId } from "../input/item-ids.ts";

const draftFields = {
  episode_type: nameField
    .default("observation")
    .describe("What it becomes: decision, preference, fact, outcome, …"),
  entities: entitiesField.optional().describe("Comma-separated type:name."),
  topic: topicField.optional().describe("Id or name of a topic."),
  labels: labelsField.optional().describe("Comma-separated key=value."),
  metadata: metadataField.optional().describe("JSON object of further data."),
  source_type: nameField.optional().describe("Where it comes from, in your own words."),
  asserted_by: nameField.optional().describe("Who said so."),
  session: referenceField.optional().describe("The session in which it was said."),
  occurred_at: startTimeField.optional().describe("When it was said, if not now; ISO 8601."),
  quotation: noteField.optional().describe("The words that it stands on."),
  evidence: listField
    .optional()
    .describe("Passages that bear it out; the quotation stands in the first: passage:12."),
  corrects: z.boolean().optional().describe("It says that something else held before."),
  rejects: listField.optional().describe("What it says does no longer hold: npm."),
};

export const claimFields = {
  content: contentField.describe("What it says, in full sentences that stand alone."),
  ...draftFields,
};

const claimSchema = z.strictObject(claimFields);
export type Claim = z.output<typeof claimSchema>;

const draftSchema = z.strictObject(draftFields);
export type Draft = z.output<typeof draftSchema>;

/** All of a claim but its content, as a row holds it and `readDraft` reads it. */
export function draftOf({ content: _content, entities, ...rest }: Claim): JsonObject {
  const draft = {
    ...rest,
    ...(entities && { entities: entities.map(({ type, name }) => `${type}:${name}`) }),
  };
  return JSON.parse(JSON.stringify(draft)) as JsonObject;
}

/** Throws invalid_input for what no claim can have. */
export function readDraft(draft: unknown): Draft {
  const parsed = draftSchema.safeParse(draft);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidInput(`draft: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is damaged"}`);
}

export function episodeOfClaim(content: string, draft: Draft): NewEpisode {
  const { quotation, evidence = [], corrects, rejects = [], ...episode } = draft;
  const passage = evidence.find((id) => kindOfId(id) === "passage");
  const learned = {
    ...(quotation !== undefined && { quotation }),
    ...(evidence.length > 0 && { evidence: [...evidence] }),
    ...(corrects === true && { corrects }),
    ...(rejects.length > 0 && { rejects: [...rejects] }),
  };
  return {
    content,
    ...episode,
    ...(passage !== undefined && { source_ref: passage }),
    ...(Object.keys(learned).length > 0 && {
      metadata: { ...episode.metadata, [LEARNED]: learned },
    }),
  };
}

const LEARNED = "learned";

export function wordingHash(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return createHash("sha256").update(words).digest("hex");
}
