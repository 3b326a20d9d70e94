import { z } from "zod";
import { wholeList } from "../../context/whole-list.ts";
import { countLabels, standsBehind } from "../../labels/label.queries.ts";
import { type LabelCount, labelCount } from "../../labels/label.schema.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, partOf, placedOutput, placesOf, wholeInput } from "../paging.ts";

export const listLabels = defineOperation({
  name: "list_labels",
  summary: "List the labels in use with counts, most used first",
  kind: "read",
  input: z.strictObject({
    subject_type: z.enum(["episode", "concept"]).optional(),
    ...wholeInput,
  }),
  output: z.object({ labels: z.array(labelCount), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/labels" },
  cli: { command: "labels", hidden: true, noun: "labels", example: "cairn labels" },
  async run(context, input) {
    const { tx, options } = context;
    const all = await countLabels(tx, input.subject_type);
    const { places, next } = await placesOf(input, options, {
      order: "labels",
      load: async (page) => partOf(all, page, standsBehind).map(placeOf),
    });
    return {
      labels: await wholeList(context, places, async (_tx, slice) => slice.map(toRecord)),
      ...listNumbers(input, all.length, options),
      ...next,
    };
  },
});

type LabelPlace = readonly [count: number, key: string, value: string];

const placeOf = ({ count, key, value }: LabelCount): LabelPlace => [count, key, value];

const toRecord = ([count, key, value]: LabelPlace): LabelCount => ({ key, value, count });
