import { z } from "zod";
import { requireEpisode } from "../../episodes/episode.queries.ts";
import { collisionRecord } from "../../facts/fact.schema.ts";
import { idOf, nameField } from "../../input/fields.ts";
import { labelText } from "../../input/parse-labels.ts";
import { addLabels } from "../../labels/label.queries.ts";
import { type Promoted, promoteItem } from "../../promotion/promote-item.ts";
import { PROMOTED_KEY, promotedContent } from "../../promotion/promoted-item.ts";
import { defineOperation } from "../define-operation.ts";

export const promote = defineOperation({
  name: "promote",
  summary: "Copy an episode or a fact to an outer layer, such as the team's",
  description:
    "Outer layers are those of the setting `layers`. The output lists everything that is copied; the original gets " +
    "the label `promoted`. Undoing it here leaves the copy. Repeated calls return the same copy.",
  kind: "write",
  input: z.strictObject({
    id: idOf("claim"),
    to: nameField.describe("Name of the outer layer."),
    dry_run: z.boolean().default(false).describe("Show what would be copied, copy nothing."),
  }),
  output: z.object({
    id: z.string(),
    to: z.string(),
    promoted_id: z.string().optional().describe("Id of the copy; absent on a dry run."),
    created: z.boolean().describe("False if an earlier call made it, and on a dry run."),
    collisions: z
      .array(collisionRecord)
      .optional()
      .describe("Facts of that layer that it may contradict."),
    goes: promotedContent.describe("Everything that is copied."),
    stays: z.array(z.string()).describe("Fields with a value that are not copied."),
    dry_run: z.boolean(),
  }),
  mcp: {
    onlyWithLayers: true,
    idempotent: true,
    purpose: "Copy an episode or fact to an outer layer, if the user asks for it.",
    detail: "",
    plainFields: ["to"],
    fieldsOfPrograms: ["dry_run"],
  },
  rest: { method: "POST", path: "/promote" },
  confirm: ({ to }, { id, promoted_id: generated, created, goes, stays, collisions = [] }) => {
    const staying = stays.length === 0 ? "" : ` ${stays.join(", ")} would stay here.`;
    if (generated === undefined)
      return `Would be copied to ${to}: ${JSON.stringify(goes)}.${staying}`;
    const message = created ? `${id} is ${generated} now.` : `${id} was ${generated} before.`;
    const [first] = collisions;
    return first === undefined
      ? message
      : `${message} It may contradict ${first.id} in ${to}. Use \`cairn supersede\` there to choose one.`;
  },
  cli: {
    positionals: ["id"],
    example: "cairn promote ep:1 --to team --dry-run\ncairn promote ep:1 --to team",
  },
  prepare: (context, input): Promise<Promoted> => promoteItem(context, input),
  async run(context, { to, dry_run: isRehearsal }) {
    const { tx } = context;
    const { id, goes, omitted, made } = context.prepared;
    const label = { key: PROMOTED_KEY, value: to };
    const { id: number } = await requireEpisode(tx, id, "id");
    if (isRehearsal) context.rollBackAfterwards();
    else {
      await addLabels(tx, { type: "episode", number }, [label]);
      await context.emit({
        kind: "labeled",
        subjectType: "episode",
        subjectId: id,
        payload: { ...label },
        about: [labelText(label)],
      });
    }
    return {
      id,
      to,
      ...(made !== undefined && { promoted_id: made.id }),
      created: made?.isNew === true,
      ...(made !== undefined && made.collisions.length > 0 && { collisions: [...made.collisions] }),
      goes,
      stays: [...omitted],
      dry_run: isRehearsal,
    };
  },
});
