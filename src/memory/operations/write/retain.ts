import { z } from "zod";
import { EventLoopYielder } from "../../../shared/async.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { FILTERS } from "../../filters/filter-table.ts";
import { changeId, kindOfId } from "../../input/item-ids.ts";
import { namesOf } from "../../input/names-of.ts";
import type { HeldItem } from "../../purge/person/find-traces.ts";
import { purgeById } from "../../purge/purge-by-id.ts";
import { forgetRecalled } from "../../recall-log/forget-recalls.ts";
import { isRuleDue, markFollowed } from "../../retention/daily-mark.ts";
import { findRetained } from "../../retention/find-retained.ts";
import {
  olderThanField,
  RETAINED_KINDS,
  RETENTION_ACTIONS,
  type RetainedKind,
  ruleNameField,
} from "../../retention/retention-rule.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";
import { deleteItem } from "./delete.ts";

/** Items that go in one change: others wait for its transaction. */
const MOST_AT_ONCE = 1_000;
/** Ids that an answer names of each list. */
const NAMED = 20;

const count = z.number().int();

export const retain = defineOperation({
  name: "retain",
  summary: "Delete or purge what a rule is about once it is old; a legal hold stays",
  description: `At most ${MOST_AT_ONCE.toLocaleString("en")} items in one change: \`left\` says how many are still to go. An episode is as old as what it tells of, a concept as its last change, a source as what was read of it last. What goes is deleted, which \`undo\` takes back, or purged, deleted or not, which nothing takes back.`,
  kind: "write",
  input: z.strictObject({
    rule: ruleNameField.describe("Name of the rule."),
    kinds: namesOf(RETAINED_KINDS).optional().describe("Default episode, concept."),
    type: FILTERS.type.field,
    by: FILTERS.by.field,
    labels: FILTERS.labels.field,
    not_labels: FILTERS.not_labels.field,
    entity: FILTERS.entity.field,
    topic: FILTERS.topic.field,
    session: FILTERS.session.field,
    older_than: olderThanField.describe("An age: 180d, 12w, 6mo, 2y."),
    action: z.enum(RETENTION_ACTIONS),
    daily: z.boolean().default(false).describe("Only if it was not done so within a day."),
    dry_run: z.boolean().default(false).describe("Count and name what would go, do nothing."),
  }),
  output: z.object({
    id: z.string().optional().describe("The change; absent where there was none."),
    rule: z.string(),
    action: z.enum(RETENTION_ACTIONS),
    taken: count,
    first: z.array(z.string()).describe(`The first ${NAMED} of these.`),
    left: count.describe("Still to go: call again."),
    held: count.describe("Under a legal hold: they stay."),
    first_held: z.array(z.object({ id: z.string(), hold: z.string() })),
    in_use: count.describe("Clusters that still have facts: they stay as long."),
    skipped: z.boolean().describe("It was done within a day."),
    kept_elsewhere: z
      .array(z.string())
      .optional()
      .describe("Where what is purged may still be, as `purge` says it."),
  }),
  erases: true,
  onlyTakesAway: true,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/retain" },
  cli: { command: false },
  async run(context, { rule, kinds = [], older_than: olderThan, action, ...input }) {
    const { daily, dry_run: isDry, ...filter } = input;
    for (const [name, given] of Object.entries(filter)) {
      if (given?.length === 0)
        throw invalidInput(`${name}: must not be empty; leave it out instead`);
    }
    const isSkipped = daily && !(await isRuleDue(context.tx, rule, context.now));
    // Episodes first: a cluster goes once its facts have gone.
    const asked = RETAINED_KINDS.filter((kind) =>
      (kinds.length > 0 ? kinds : DEFAULT_KINDS).includes(kind),
    );
    const query = { filter, olderThan, purges: action === "purge" };
    const done: Done = { taken: [], left: 0, held: [], inUse: 0 };
    for (const kind of isSkipped ? [] : asked) {
      const { ids, held, inUse } = await findRetained(context, kind, query);
      const going = ids.slice(0, MOST_AT_ONCE - done.taken.length);
      await takeAll(context, going, action);
      done.taken.push(...going);
      done.left += ids.length - going.length;
      done.held.push(...held);
      done.inUse += inUse.length;
    }
    if (daily && !isSkipped && done.left === 0) await markFollowed(context.tx, rule, context.now);
    const erases = action === "purge" && done.taken.length > 0;
    if (!erases) context.hasErasedNothing();
    const kept = erases && !isDry ? await context.keptElsewhere() : [];
    if (isDry) context.rollBackAfterwards();
    return {
      ...(!isDry && done.taken.length > 0 && { id: changeId(await context.change) }),
      ...{ rule, action },
      ...{ taken: done.taken.length, first: done.taken.slice(0, NAMED), left: done.left },
      ...{ held: done.held.length, first_held: done.held.slice(0, NAMED), in_use: done.inUse },
      skipped: isSkipped,
      ...(kept.length > 0 && { kept_elsewhere: kept }),
    };
  },
});

const DEFAULT_KINDS: readonly RetainedKind[] = ["episode", "concept"];

interface Done {
  readonly taken: string[];
  left: number;
  readonly held: HeldItem[];
  inUse: number;
}

async function takeAll(
  context: OperationContext,
  ids: readonly string[],
  action: (typeof RETENTION_ACTIONS)[number],
): Promise<void> {
  const turn = new EventLoopYielder();
  const purged: string[] = [];
  for (const id of ids) {
    if (action === "delete") await deleteItem.run(context, { id });
    else purged.push(...(await purgeById(kindOfId(id))(context, id)));
    await turn.yieldIfDue();
  }
  await forgetRecalled(context.tx, purged);
}
