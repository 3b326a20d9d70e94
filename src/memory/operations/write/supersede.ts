import { z } from "zod";
import { findNamedPair } from "../../facts/claim-episode.ts";
import { supersedeFact } from "../../facts/supersede-fact.ts";
import { idOf, noteField, untilField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { factId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

export const supersede = defineOperation({
  name: "supersede",
  summary: "Replace an old fact, decision or preference by a new one; the old one becomes history",
  target: "old",
  kind: "write",
  input: z.strictObject({
    old: idOf("claim").describe("The fact, decision or preference to replace."),
    new: idOf("claim").describe("The one that replaces it."),
    note: noteField.optional(),
    until: untilField,
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), superseded_by: z.string(), valid_to: z.string() }),
  mcp: { interfaces: false, destructive: true },
  rest: false,
  confirm: (input) => `${input.old} is history; ${input.new} replaces it.`,
  cli: { positionals: ["old", "new"], example: "cairn supersede fact:1 fact:2" },
  changeset: { op: "supersede", text: "note", nameless: true, aliases: { reason: "note" } },
  async run(context, input) {
    const [old, winner] = await findNamedPair(context, [
      { id: input.old, field: "old" },
      { id: input.new, field: "new" },
    ]);
    const { note = null, until } = input;
    const validTo = await supersedeFact(context, { old, winner, note, until });
    await context.emit({
      kind: "superseded",
      subjectType: "fact",
      subjectId: factId(old.id),
      payload: { old: factId(old.id), new: factId(winner.id), note },
    });
    return { id: factId(old.id), superseded_by: factId(winner.id), valid_to: validTo };
  },
});
