import { z } from "zod";
import { listContradictions } from "../../promotion/list-contradictions.ts";
import { layerWarning } from "../../recall/recall.schema.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

const side = z.object({
  id: z.string(),
  episode_type: z.string(),
  content: z.string(),
  asserted_by: z.string().nullable(),
  created_at: z.string(),
});

export const contradictions = defineOperation({
  name: "contradictions",
  summary: "List what says otherwise than a farther layer, newest first",
  description:
    "Found when it was written, or afterwards in what was imported and in what the farther layer said since; it " +
    "stands here alone, and nobody of the farther layer is told. `promote` has it decided there; removing the " +
    "label `contradicts` leaves both as they are.",
  kind: "read",
  input: z.strictObject({ limit: limitField.default(50) }),
  output: z.object({
    contradictions: z.array(
      z.object({
        nearer: side,
        layer: z.string().describe("The farther layer."),
        farther: side.describe("Its id begins with its layer."),
      }),
    ),
    sweeps: z
      .array(
        z.object({
          layer: z.string(),
          held: z.number().int().describe("Statements of both that were compared by now."),
          waiting: z.number().int().describe("What was said or edited since, at most."),
        }),
      )
      .describe("How far the search came in what no write compared."),
    warnings: z.array(layerWarning).optional().describe("Layers that could not be read."),
  }),
  mcp: {
    onlyWithLayers: true,
    purpose:
      "What this memory says otherwise than a farther layer, for a person to promote or leave.",
    detail: "",
    plainFields: ["limit"],
  },
  rest: { method: "GET", path: "/contradictions" },
  cli: { group: "Inspection", example: "cairn contradictions" },
  prepare: (context, { limit }) => listContradictions(context, limit),
  async run({ prepared: { contradictions: found, sweeps, warnings } }) {
    return {
      contradictions: found.map(({ nearer, farther, layer }) => ({
        nearer: sideOf(nearer),
        layer,
        farther: sideOf(farther),
      })),
      sweeps: [...sweeps],
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    };
  },
});

function sideOf(it: z.output<typeof side>): z.output<typeof side> {
  const { id, episode_type, content, asserted_by, created_at } = it;
  return { id, episode_type, content, asserted_by, created_at };
}
