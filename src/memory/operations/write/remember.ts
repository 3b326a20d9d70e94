import { z } from "zod";
import type { WriteContext } from "../../context/write-context.ts";
import { rememberAll } from "../../episodes/remember-all.ts";
import type { NewEpisode } from "../../episodes/remember-episode.ts";
import { collisionRecord } from "../../facts/fact.schema.ts";
import {
  collisionsField,
  contentField,
  entitiesField,
  idempotencyKeyField,
  labelsField,
  metadataField,
  nameField,
  referenceField,
  startTimeField,
  topicField,
} from "../../input/fields.ts";
import { parseNumberedId } from "../../input/item-ids.ts";
import { findEarlier } from "../../learned/find-earlier.ts";
import { defineOperation } from "../define-operation.ts";

export const remember = defineOperation({
  name: "remember",
  summary: "Store an episode: something experienced, decided, asked or known",
  description:
    "The result lists what the statement may contradict, closest first; settle real contradictions " +
    "with `supersede` or `conflict` in `apply`.",
  kind: "write",
  input: z.strictObject({
    content: contentField.describe("Full sentences that stand alone."),
    episode_type: nameField
      .default("observation")
      .describe(
        "observation, decision, question, preference, meta, outcome, fact, or a custom type.",
      ),
    entities: entitiesField
      .optional()
      .describe("Comma-separated type:name, e.g. `file:src/app.ts, person:Ada`."),
    labels: labelsField.optional().describe("Comma-separated key=value."),
    metadata: metadataField.optional().describe("JSON object of further data."),
    source_type: nameField.optional().describe("Kind of source, in your own words."),
    asserted_by: nameField.optional().describe("Author of the statement."),
    source_ref: referenceField.optional().describe("Link back to the original."),
    session: referenceField
      .optional()
      .describe("Session id. Recall links episodes of the same session."),
    occurred_at: startTimeField.optional().describe("When it happened, if not now; ISO 8601."),
    topic: topicField.optional().describe("Id or name of a topic."),
    collisions: collisionsField.optional(),
    idempotency_key: idempotencyKeyField.optional(),
  }),
  output: z.object({
    id: z.string(),
    episode_type: z.string(),
    created_at: z.string(),
    fact_id: z.string().optional(),
    cluster_id: z.string().optional(),
    cluster_created: z.boolean().optional(),
    collisions: z
      .array(collisionRecord)
      .optional()
      .describe("The five closest in wording, closest first; all with `collisions=all`."),
    collisions_total: z.number().int().optional().describe("Total number of collisions."),
    collisions_omitted: z
      .literal(true)
      .optional()
      .describe("Collisions not shown; only in a changeset that has compared 50 000."),
    earlier: z
      .array(
        z.object({
          id: z.string(),
          relation: z.enum(["repeats", "contradicts"]),
          text: z.string(),
          at: z.string(),
          conflict_id: z.string().optional(),
        }),
      )
      .optional()
      .describe(
        "Earlier episodes with the same wording, or contradicted decisions and preferences; each of the latter has an open conflict.",
      ),
  }),
  mcp: {
    core: true,
    alwaysLoad: true,
    purpose:
      "Store in memory what later sessions need: a decision with its reason, a " +
      "preference, a fact, an outcome (failures too), an open question.",
    searchHint: "remember save store note memory decision preference fact outcome",
    hiddenFields: ["collisions"],
    fieldsOfB: ["topic"],
  },
  rest: { method: "POST", path: "/episodes" },
  cli: {
    group: "Memory",
    shelf: "start",
    aliases: ["add"],
    positionals: ["content"],
    short: { episode_type: "t" },
    example:
      'cairn remember "We deploy on Fridays" -t decision -e project:shop\ngit log -1 --format=%B | cairn remember -t outcome',
  },
  agentTool: "remember",
  present: ({ id }) => ({ summary: `Remembered ${id}` }),
  changeset: {
    op: "remember",
    text: "content",
    aliases: { t: "episode_type", e: "entities", by: "asserted_by", ref: "source_ref" },
  },
  async run(context, input) {
    const [answer] = await rememberAndCompare(context, [input]);
    if (answer === undefined) throw new Error("The episode was not stored.");
    return answer;
  },
  runTogether: rememberAndCompare,
});

/** A change with more episodes is an import, which skips comparison with earlier ones. */
const MAX_COMPARED = 10;

async function rememberAndCompare(context: WriteContext, inputs: readonly NewEpisode[]) {
  const answers = await rememberAll(context, inputs);
  if (inputs.length > MAX_COMPARED) return answers;
  const compared = [];
  for (const [index, answer] of answers.entries()) {
    const earlier = await findEarlier(context, {
      number: parseNumberedId(answer.id, "episode", "id"),
      content: inputs[index]?.content ?? "",
      type: answer.episode_type,
    });
    compared.push({ ...answer, ...(earlier.length > 0 && { earlier }) });
  }
  return compared;
}
