import { z } from "zod";
import { requireEpisode } from "../../episodes/episode.queries.ts";
import { collisionRecord } from "../../facts/fact.schema.ts";
import { idOf, nameField } from "../../input/fields.ts";
import { labelText } from "../../input/parse-labels.ts";
import { addLabels, labelsOfEpisodes } from "../../labels/label.queries.ts";
import { notedElsewhere } from "../../promotion/made-elsewhere.ts";
import { type Promoted, promoteItem } from "../../promotion/promote-item.ts";
import { PROMOTED, travelling } from "../../promotion/promoted-item.ts";
import { defineOperation } from "../define-operation.ts";

export const promote = defineOperation({
  name: "promote",
  summary: "Copy an episode or a fact to a farther layer, such as the team's",
  description:
    "The layers are those of the setting `layers`. What goes is in the answer, and nothing else does; the item " +
    "stays, with the label `promoted`. Made once, however often it is asked for.",
  kind: "write",
  input: z.strictObject({
    id: idOf("claim"),
    to: nameField.describe("Name of the farther layer."),
    dry_run: z.boolean().default(false).describe("Only say what would go."),
  }),
  output: z.object({
    id: z.string(),
    to: z.string(),
    promoted_id: z.string().optional().describe("Its id there; absent in a rehearsal."),
    created: z.boolean().describe("False where it was there before, and in a rehearsal."),
    collisions: z
      .array(collisionRecord)
      .optional()
      .describe("Facts of that layer which it may contradict, with their ids there."),
    conflicts: z
      .array(z.string())
      .optional()
      .describe("Conflicts that were opened there, for somebody of that layer to decide."),
    goes: travelling.describe("All that goes."),
    stays: z.array(z.string()).describe("Fields that have a value and stay here."),
    dry_run: z.boolean(),
  }),
  mcp: {
    onlyWithLayers: true,
    idempotent: true,
    purpose: "Copy an episode or fact to a farther layer, when told to.",
    detail: "",
    plainFields: ["to"],
    fieldsOfPrograms: ["dry_run"],
  },
  rest: { method: "POST", path: "/promote" },
  confirm: (
    { to },
    { id, promoted_id: made, created, goes, stays, collisions = [], conflicts },
  ) => {
    const staying = stays.length === 0 ? "" : ` ${stays.join(", ")} would stay here.`;
    if (made === undefined) return `Would go to ${to}: ${JSON.stringify(goes)}.${staying}`;
    const told = created ? `${id} is ${made} now.` : `${id} was ${made} before.`;
    if (conflicts !== undefined) {
      return `${told} It contradicts what ${to} holds: somebody of ${to} decides ${conflicts.join(", ")}.`;
    }
    const [first] = collisions;
    return first === undefined
      ? told
      : `${told} It may contradict what ${to} holds: ${first.id}. \`cairn supersede\` there says which holds.`;
  },
  cli: {
    positionals: ["id"],
    example: "cairn promote ep:1 --to team --dry-run\ncairn promote ep:1 --to team",
  },
  prepare: (context, input): Promise<Promoted> => promoteItem(context, input),
  async run(context, { to, dry_run: isRehearsal }) {
    const { tx } = context;
    const { id, goes, stays, made } = context.prepared;
    const label = { key: PROMOTED, value: to };
    const { id: number } = await requireEpisode(tx, id, "id");
    if (isRehearsal) context.rollBackAfterwards();
    else {
      const before = (await labelsOfEpisodes(tx, [number])).get(number) ?? [];
      const wasPromoted = before.some(({ key, value }) => key === PROMOTED && value === to);
      await addLabels(tx, { type: "episode", number }, [label]);
      // What an earlier promotion made there is for the undo of that one to take back.
      const isOwn = made !== undefined && (made.isNew || !wasPromoted);
      await context.emit({
        kind: "labeled",
        subjectType: "episode",
        subjectId: id,
        payload: {
          ...label,
          ...(isOwn && notedElsewhere(made)),
        },
        about: [labelText(label)],
      });
    }
    return {
      id,
      to,
      ...(made !== undefined && { promoted_id: made.id }),
      created: made?.isNew === true,
      ...(made !== undefined && made.collisions.length > 0 && { collisions: [...made.collisions] }),
      ...(made !== undefined && made.conflicts.length > 0 && { conflicts: [...made.conflicts] }),
      goes,
      stays: [...stays],
      dry_run: isRehearsal,
    };
  },
});
