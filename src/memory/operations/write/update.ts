import { z } from "zod";
import { invalidInput } from "../../../kernel/errors.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { idField } from "../../input/fields.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { validateInput } from "../../input/validate-input.ts";
import { defineOperation } from "../define-operation.ts";
import { updateConcept } from "./update-concept.ts";
import { updateEpisode } from "./update-episode.ts";

const episodeFields = Object.keys(updateEpisode.input.shape).filter((key) => key !== "episode_id");
const conceptFields = Object.keys(updateConcept.input.shape).filter((key) => key !== "concept_id");
const fields = [...new Set([...episodeFields, ...conceptFields])];

export const update = defineOperation({
  name: "update",
  summary: "Change fields of an episode or a concept, whichever the id names",
  kind: "write",
  input: z.strictObject({
    id: idField,
    ...Object.fromEntries(
      fields.map((field) => [
        field,
        z
          .unknown()
          .optional()
          .describe(`As of ${ownersOf(field).join(" and ")}.`),
      ]),
    ),
  }),
  output: z.union([episodeRecord, conceptRecord]),
  mcp: { interfaces: false, idempotent: true },
  cli: { command: false },
  changeset: {
    op: "update",
    keys: Object.fromEntries(["id", ...fields].map((field) => [field, field])),
    bare: "id",
    nameless: true,
    types: { confidence: "number", relations: "json" },
    refs: {
      id: "other",
      plan_id: "other",
      spec_ids: "other",
      depends_on: "other",
      "relations.target_id": "other",
    },
  },
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

function ownersOf(field: string): string[] {
  return [
    ...(episodeFields.includes(field) ? ["update_episode"] : []),
    ...(conceptFields.includes(field) ? ["update_concept"] : []),
  ];
}
