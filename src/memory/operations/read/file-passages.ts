import { z } from "zod";
import { systemClock } from "../../../shared/clock.ts";
import { Deadline } from "../../../shared/deadline.ts";
import { recallFilterFields } from "../../filters/filter-condition.ts";
import { countField, listField, referenceField } from "../../input/fields.ts";
import { loadPassagesAboutFile } from "../../recall/passages/about-file.ts";
import { passageScope } from "../../recall/passages/load-units.ts";
import { createNamedFile } from "../../recall/passages/named-file.ts";
import { recalledPassage } from "../../recall/passages/passage.schema.ts";
import { resolveScope } from "../../recall/recall-scope.ts";
import { defineOperation } from "../define-operation.ts";

const { since, until, by, session } = recallFilterFields;

export const filePassages = defineOperation({
  name: "file_passages",
  summary: "Show past decisions about a file from sessions and commits",
  kind: "read",
  input: z.strictObject({
    file: referenceField.describe("Path of the file, relative to its project."),
    symbols: listField.optional().describe("Symbols that it defines or that are about to change."),
    ...{ since, until, by, session },
    limit: countField.default(6).describe("Maximum passages."),
    timeout_ms: countField.optional().describe("Time limit; returns what was found by then."),
  }),
  output: z.object({ passages: z.array(recalledPassage) }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: false, example: "cairn why src/pay.ts:12" },
  async run(context, { file, symbols = [], limit, timeout_ms: timeout, ...filters }) {
    const { tx, options } = context;
    const pace = options.clock ?? systemClock;
    const deadline = timeout === undefined ? undefined : new Deadline(pace, timeout);
    const request = { ...filters, k: 0, episode_k: 0 };
    const resolved = await resolveScope(context, request);
    const scope = resolved && passageScope(request, resolved);
    if (scope === undefined) return { passages: [] };
    const passages = await loadPassagesAboutFile(tx, scope, {
      file: createNamedFile(file, symbols),
      limit: limit,
      isLate: () => deadline?.isPast === true,
    });
    return { passages: [...passages] };
  },
});
