import { z } from "zod";
import { OWNER, requireScope } from "../../../shared/caller.ts";
import { eventRecord, fieldChange } from "../../events/event.schema.ts";
import type { ChangeRow } from "../../history/load-changes.ts";
import { inverseChangeset } from "../../history/undo/inverse-changeset.ts";
import { undoChanges } from "../../history/undo/undo-changes.ts";
import { changeId } from "../../input/item-ids.ts";
import { formsOf } from "../define-form.ts";
import type { OperationContext } from "../operation-context.ts";
import { update } from "./update.ts";

export const takenBack = z.object({
  /** The change that the undo is; null on a dry run. */
  id: z.string().nullable(),
  dry_run: z.boolean(),
  undo_of: z.array(z.string()),
  effects: z.array(
    eventRecord
      .pick({ kind: true, subject_type: true, subject_id: true })
      .extend({ changed: z.array(fieldChange) }),
  ),
  changeset: z.string().describe("The effect as ops; `#` lines tell what no op can say."),
});

/** Fields that the op `update` can set. */
const EDITABLE: readonly string[] = Object.keys(update.input.shape).filter(
  (field) => field !== "id" && field !== "if_match",
);

export const togetherField = z
  .boolean()
  .default(false)
  .describe("Also undo later changes that stand on it.");
export const dryRunField = z
  .boolean()
  .default(false)
  .describe("Show what it would do, do nothing.");

export type Choosing = Pick<OperationContext, "tx" | "options"> & {
  /** Number of the change that does it. */
  readonly change: number;
};

interface TakingBack {
  choose(context: Choosing): Promise<readonly ChangeRow[]>;
  readonly together: boolean;
  readonly dryRun: boolean;
}

export const takingBack = formsOf<TakingBack, z.output<typeof takenBack>>({
  name: "undo",
  kind: "write",
  async run(context, { choose, together, dryRun }) {
    const { tx, options } = context;
    const chosen = await choose({ tx, options, change: await context.change });
    const { undone, effects } = await undoChanges(context, chosen, together);
    requireMayUndo(context, undone);
    if (dryRun) context.rollBackAfterwards();
    return {
      id: dryRun ? null : changeId(await context.change),
      dry_run: dryRun,
      undo_of: undone.map(({ id }) => changeId(id)),
      effects: effects.map(({ kind, subjectType, subjectId, changed }) => ({
        kind,
        subject_type: subjectType,
        subject_id: subjectId,
        changed: [...changed],
      })),
      changeset: inverseChangeset(effects, EDITABLE),
    };
  },
});

/** What others wrote is for who decides to take back. It throws within the transaction. */
function requireMayUndo(
  { options: { caller = OWNER }, place: { database } }: OperationContext,
  undone: readonly ChangeRow[],
): void {
  const others = undone.find(({ author }) => author !== caller.name);
  if (others === undefined) return;
  const what = `Undoing ${changeId(others.id)}, which ${others.author ?? "somebody else"} made,`;
  requireScope(caller, "decide", what, database);
}
