import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { withMeta } from "../../../shared/fields.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { validateInput } from "../../input/validate-input.ts";
import { defineOperation } from "../define-operation.ts";
import { updateConcept } from "./update-concept.ts";
import { updateEpisode } from "./update-episode.ts";

const episodeFields = Object.keys(updateEpisode.input.shape).filter(
  (key) => key !== "episode_id" && key !== "if_match",
);
const conceptFields = Object.keys(updateConcept.input.shape).filter(
  (key) => key !== "concept_id" && key !== "if_match",
);
const fields = [...new Set([...episodeFields, ...conceptFields])];

export const update = defineOperation({
  name: "update",
  summary: "Change fields of an episode or a concept",
  target: "id",
  kind: "write",
  input: z.strictObject({
    id: idOf("item"),
    ...Object.fromEntries(
      fields.map((field) => [
        field,
        withMeta(z.unknown(), { like: findSchema(field) })
          .optional()
          .describe(`As of ${findOwners(field).join(" and ")}.`),
      ]),
    ),
    if_match: ifMatchField.optional(),
  }),
  output: z.union([episodeRecord, conceptRecord]),
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  cli: { command: false },
  changeset: { op: "update", bare: "id", nameless: true },
  async run(context, { id, ...changes }) {
    const kind = kindOfId(id);
    if (kind === "episode") {
      const input = { ...changes, episode_id: id };
      return updateEpisode.run(context, validateInput(updateEpisode.input, input, "update"));
    }
    if (kind === "concept") {
      const input = { ...changes, concept_id: id };
      return updateConcept.run(context, validateInput(updateConcept.input, input, "update"));
    }
    throw invalidInput(`id: "${id}" is neither an episode (ep:1) nor a concept`);
  },
});

function findSchema(field: string): z.core.$ZodType | undefined {
  const shapes: Readonly<Record<string, z.core.$ZodType>>[] = [
    updateEpisode.input.shape,
    updateConcept.input.shape,
  ];
  return shapes.map((shape) => shape[field]).find((schema) => schema !== undefined);
}

function findOwners(field: string): string[] {
  return [
    ...(episodeFields.includes(field) ? ["update_episode"] : []),
    ...(conceptFields.includes(field) ? ["update_concept"] : []),
  ];
}
