import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { OWNER, requireScope } from "../../../shared/caller.ts";
import { isCairnError, stateConflict } from "../../../shared/errors.ts";
import { eventRecord, fieldChange } from "../../events/event.schema.ts";
import type { ChangeRow } from "../../history/load-changes.ts";
import { inverseChangeset } from "../../history/undo/inverse-changeset.ts";
import { requireInForce } from "../../history/undo/select-changes.ts";
import { undoChanges } from "../../history/undo/undo-changes.ts";
import { changeIdField } from "../../input/fields.ts";
import { changeId, parseChangeId } from "../../input/item-ids.ts";
import { loadWrittenElsewhere, noteOf } from "../../promotion/made-elsewhere.ts";
import { copyOutcome, type TakenCopy, takeBackCopies } from "../../promotion/take-back-copies.ts";
import type { PrepareContext } from "../../search/prepare-context.ts";
import { formsOf } from "../define-form.ts";
import type { OperationContext } from "../operation-context.ts";
import { update } from "./update.ts";

/** What an undo or a redo answers. */
export const takenBack = z.object({
  /** The change that the undo is; null on a dry run. */
  id: z.string().nullable(),
  dry_run: z.boolean(),
  /** What was taken back, newest first. */
  undo_of: z.array(z.string()),
  effects: z.array(
    eventRecord
      .pick({ kind: true, subject_type: true, subject_id: true })
      .extend({ changed: z.array(fieldChange) }),
  ),
  copies: z
    .array(copyOutcome)
    .optional()
    .describe("Of a promotion: what becomes of the copies in farther layers."),
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

/** What changes are chosen with. */
export type Choosing = Pick<OperationContext, "tx" | "options"> & {
  /** Number of the change that does it, where that is known. */
  readonly change: number | undefined;
};

interface TakingBack {
  /** Which changes are to be taken back. */
  choose(context: Choosing): Promise<readonly ChangeRow[]>;
  readonly together: boolean;
  readonly dryRun: boolean;
  /** What that is called in a farther layer. */
  readonly as: "undo" | "redo";
}

/** What becomes of copies in farther layers, which is seen to before. */
interface Prepared {
  /** Numbers of all changes that are to be taken back, newest first; undefined in a rehearsal. */
  readonly numbers: readonly number[] | undefined;
  readonly copies: readonly TakenCopy[];
}

const REHEARSAL: Prepared = { numbers: undefined, copies: [] };

export const takingBack = formsOf<TakingBack, z.output<typeof takenBack>, Prepared | undefined>({
  name: "undo",
  kind: "write",
  prepare: (context, taking) => prepareCopies(context, taking),
  async run(context, { choose, together, dryRun }) {
    const { tx, options, prepared, change } = context;
    const { numbers, copies = [] } = prepared ?? {};
    const chosen =
      numbers === undefined
        ? await choose({ tx, options, change: await change })
        : await Promise.all(numbers.map((number) => requireInForce(tx, number)));
    const written = copies.flatMap((copy) => copy.written ?? []).map(noteOf);
    const { undone, effects } = await undoChanges(context, chosen, together, written);
    requireMayUndo(context, undone);
    if (prepared !== REHEARSAL) await requireCopies(tx, undone, numbers);
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
      ...(copies.length > 0 && { copies: copies.map(({ told }) => told) }),
      changeset: inverseChangeset(effects, EDITABLE),
    };
  },
});

/**
 * The copies that go with it, taken back before: asked again after a failure in between, it does the rest. First it
 * is tried here, since what this memory refuses must change nothing elsewhere. Undefined where there are none.
 */
async function prepareCopies(
  context: PrepareContext,
  { choose, together, dryRun, as }: TakingBack,
): Promise<Prepared | undefined> {
  const { read, options } = context;
  const noted = async (choice: (tx: Tx) => Promise<readonly number[]>) =>
    read(async (tx) => loadWrittenElsewhere(tx, await choice(tx)));
  if (!together) {
    try {
      const found = await noted(async (tx) =>
        idsOf(await choose({ tx, options, change: undefined })),
      );
      if (found.length === 0) return undefined;
    } catch (error) {
      // Refused in its transaction, or answered as it was before.
      if (isCairnError(error)) return undefined;
      throw error;
    }
  }
  const rehearsed = await context.rehearse(REHEARSAL);
  if (rehearsed === undefined) return undefined;
  const numbers = takenBack.parse(rehearsed).undo_of.map((id) => parseChangeId(id, "change"));
  const copies = await noted(async () => numbers);
  return {
    numbers,
    copies: await takeBackCopies(context, copies, { as, isRehearsal: dryRun }),
  };
}

const idsOf = (rows: readonly ChangeRow[]): number[] => rows.map(({ id }) => id);

/** Something was promoted while this was about to be taken back. */
async function requireCopies(
  tx: Tx,
  undone: readonly ChangeRow[],
  seenTo: readonly number[] = [],
): Promise<void> {
  const others = idsOf(undone).filter((number) => !seenTo.includes(number));
  const [missed] = await loadWrittenElsewhere(tx, others);
  if (missed === undefined) return;
  throw stateConflict(
    `${missed.id} was written meanwhile by ${changeId(missed.by)}, which this takes back. Ask again.`,
  );
}

const listedInput = z.strictObject({ changes: z.array(changeIdField), dry_run: dryRunField });

const listed = {
  summary: "Take back the changes that are named, all or none",
  input: listedInput,
  output: takenBack,
} as const;

const bindListed =
  (as: "undo" | "redo") =>
  ({ changes, dry_run: dryRun }: z.output<typeof listedInput>): TakingBack => ({
    choose: ({ tx }) =>
      Promise.all(changes.map((id) => requireInForce(tx, parseChangeId(id, "changes")))),
    together: false,
    dryRun,
    as,
  });

/** What another memory does here, which lies before this one. */
export const undoListed = takingBack({ ...listed, name: "undo", bind: bindListed("undo") });
export const redoListed = takingBack({ ...listed, name: "redo", bind: bindListed("redo") });

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
