import { z } from "zod";
import { countLabels, standsBehind } from "../../labels/label.queries.ts";
import { type LabelCount, labelCount } from "../../labels/label.schema.ts";
import { defineList, recordList } from "../define-list.ts";
import { partOf, placedOutput, wholeInput } from "../paging.ts";

export const listLabels = defineList({
  name: "list_labels",
  summary: "List the labels in use with counts, most used first",
  input: z.strictObject({
    subject_type: z.enum(["episode", "concept"]).optional(),
    ...wholeInput,
  }),
  output: z.object({ labels: z.array(labelCount), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/labels" },
  cli: { command: "list labels", example: "cairn list labels" },
  async list({ tx }, { subject_type: type, ...page }) {
    const all = await countLabels(tx, type);
    return recordList({
      order: "labels",
      page,
      places: async (part) => partOf(all, part, standsBehind).map(getLocation),
      count: () => all.length,
      load: async (_tx, locations) => locations.map(toRecord),
    });
  },
  answer: (labels, numbers) => ({ labels, ...numbers }),
});

type LabelPlace = readonly [count: number, key: string, value: string];

const getLocation = ({ count, key, value }: LabelCount): LabelPlace => [count, key, value];

const toRecord = ([count, key, value]: LabelPlace): LabelCount => ({ key, value, count });
