import { z } from "zod";
import { closeReplaced } from "../../facts/close-replaced.ts";
import { factId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

export const closeReplacedFacts = defineOperation({
  name: "close_replaced",
  summary: "Let facts that an older version replaced end when their successors began",
  kind: "write",
  input: z.strictObject({}),
  output: z.object({ ids: z.array(z.string()) }),
  mcp: { interfaces: false, idempotent: true },
  rest: { method: "POST", path: "/facts/close-replaced" },
  confirm: (_input, { ids }) =>
    ids.length === 0
      ? "Every replaced fact ends when its successor began, or when somebody said."
      : `${ids.length} replaced facts end when their successors began.`,
  cli: { example: "cairn close-replaced" },
  async run(context) {
    const ids = (await closeReplaced(context)).map(factId);
    const [first] = ids;
    if (first !== undefined) {
      await context.emit({
        kind: "updated",
        subjectType: "fact",
        subjectId: first,
        payload: { ids },
      });
    }
    return { ids };
  },
});
