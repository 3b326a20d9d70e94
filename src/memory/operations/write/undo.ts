import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { OWNER, requireScope } from "../../../kernel/caller.ts";
import { invalidInput, isCairnError, stateConflict } from "../../../kernel/errors.ts";
import { eventRecord, fieldChange } from "../../events/event.schema.ts";
import type { ChangeRow } from "../../history/load-changes.ts";
import { inverseChangeset } from "../../history/undo/inverse-changeset.ts";
import { requireInForce, selectChanges, selectUndo } from "../../history/undo/select-changes.ts";
import { undoChanges } from "../../history/undo/undo-changes.ts";
import { changeIdField, nameField, referenceField } from "../../input/fields.ts";
import { changeId, parseChangeId } from "../../input/item-ids.ts";
import { loadWrittenElsewhere, noteOf } from "../../promotion/made-elsewhere.ts";
import { copyOutcome, type TakenCopy, takeBackCopies } from "../../promotion/take-back-copies.ts";
import type { PrepareContext } from "../../search/prepare-context.ts";
import { formsOf } from "../define-form.ts";
import type { OperationContext } from "../operation-context.ts";
import { update } from "./update.ts";

const output = z.object({
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

const togetherField = z
  .boolean()
  .default(false)
  .describe("Also undo later changes that stand on it.");
const dryRunField = z.boolean().default(false).describe("Show what it would do, do nothing.");

/** What changes are chosen with. */
type Choosing = Pick<OperationContext, "tx" | "options"> & {
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

const takingBack = formsOf<TakingBack, z.output<typeof output>, Prepared | undefined>({
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
  const numbers = output.parse(rehearsed).undo_of.map((id) => parseChangeId(id, "change"));
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
  output,
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

const undoInput = z.strictObject({
  change: changeIdField.optional().describe("Id of one change, e.g. change:7."),
  since: changeIdField.optional().describe("Every change after this one; change:0 for all."),
  until: changeIdField.optional().describe("With `since`: up to this one and no further."),
  author: nameField.optional().describe("With `since` or alone: only changes of this author."),
  session: referenceField.optional().describe("Likewise: only changes of this session."),
  together: togetherField,
  dry_run: dryRunField,
});

export const undo = takingBack({
  name: "undo",
  summary: "Take back a change, a range of changes, or the last one of yours",
  description:
    "It is a change itself, which can be undone in turn; the feed only grows. Where later " +
    "changes stand on it, it refuses and names them. Without a change or `since` it takes back the " +
    "newest that came the same way as this call.",
  input: undoInput,
  output,
  mcp: {
    destructive: true,
    purpose: "Undo a change of memory, or the last one over MCP.",
    detail: "Refuses where later changes stand on it, and names them.",
    fieldsOfPrograms: ["session", "author"],
    plainFields: ["dry_run"],
  },
  rest: { method: "POST", path: "/undo" },
  confirm: (_input, taken) => tellTaken(taken),
  cli: {
    shelf: "everyday",
    positionals: ["change"],
    example: "cairn undo\ncairn undo change:7 --dry-run",
  },
  bind: ({ together, dry_run: dryRun, ...range }) => ({
    choose: (context) => chooseChanges(context, range),
    together,
    dryRun,
    as: "undo",
  }),
});

export const redo = takingBack({
  name: "redo",
  summary: "Take back an undo: the last one of yours, or the one named",
  input: z.strictObject({
    change: changeIdField.optional().describe("Id of the change that an undo was."),
    together: togetherField,
    dry_run: dryRunField,
  }),
  output,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/redo" },
  confirm: (_input, taken) => tellTaken(taken),
  cli: { positionals: ["change"], example: "cairn redo" },
  bind: ({ change, together, dry_run: dryRun }) => ({
    async choose({ tx, options }) {
      const number = change === undefined ? undefined : parseChangeId(change, "change");
      return [await selectUndo(tx, { change: number, surface: options.surface })];
    },
    together,
    dryRun,
    as: "redo",
  }),
});

type Range = Pick<z.output<typeof undoInput>, "change" | "since" | "until" | "author" | "session">;

async function chooseChanges(
  { tx, change: own = Number.POSITIVE_INFINITY, options }: Choosing,
  { change, since, until, author, session }: Range,
): Promise<readonly ChangeRow[]> {
  if (until !== undefined && since === undefined) {
    throw invalidInput("until: goes with `since`; name the change before the first to undo");
  }
  const last = until === undefined ? own : parseChangeId(until, "until") + 1;
  const before = Math.min(own, last);
  const isMine = change === undefined && since === undefined && !author && !session;
  return selectChanges(tx, {
    change: change === undefined ? undefined : parseChangeId(change, "change"),
    since: since === undefined ? undefined : parseSince(since),
    // A caller with a name has a last change of their own.
    author: author ?? (isMine ? options.caller?.name : undefined),
    session: session ?? (isMine ? options.session : undefined),
    surface: isMine ? options.surface : undefined,
    before: Number.isFinite(before) ? before : undefined,
  });
}

const LINES_SHOWN = 20;

/** Which changes, what that means for the items, and the way back. */
function tellTaken({
  id,
  undo_of: undone,
  changeset,
  copies = [],
}: z.output<typeof output>): string {
  const all = changeset.split("\n").filter((line) => line !== "");
  const lines = all.slice(0, LINES_SHOWN).map((line) => `  ${line}`);
  if (all.length > LINES_SHOWN) lines.push(`  … and ${all.length - LINES_SHOWN} more`);
  lines.push(...copies.map((copy) => `  ${tellCopy(copy, id === null)}`));
  const what = undone.join(", ");
  return id === null
    ? [`Would take back ${what}:`, ...lines].join("\n")
    : [`Took back ${what}:`, ...lines, `That is ${id}; \`cairn undo ${id}\` reverses it.`].join(
        "\n",
      );
}

function tellCopy(
  { id, outcome, reason = "" }: z.output<typeof copyOutcome>,
  isRehearsal: boolean,
): string {
  if (outcome === "left")
    return `${id} ${isRehearsal ? "would stay" : "stays"} as it is: ${reason}`;
  const done = outcome === "taken_back" ? "taken back" : "brought back";
  return `${id} ${isRehearsal ? "would be" : "is"} ${done}, too`;
}

/** `change:0` stands before the first change. */
function parseSince(text: string): number {
  return /^(?:change:)?0$/.test(text) ? 0 : parseChangeId(text, "since");
}

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
