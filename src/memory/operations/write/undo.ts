import { z } from "zod";
import { OWNER, requireScope } from "../../../shared/caller.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { eventRecord, fieldChange } from "../../events/event.schema.ts";
import type { ChangeRow } from "../../history/load-changes.ts";
import { createInverseChangeset } from "../../history/undo/inverse-changeset.ts";
import { selectChanges, selectUndo } from "../../history/undo/select-changes.ts";
import { undoChanges } from "../../history/undo/undo-changes.ts";
import { changeIdField, nameField, referenceField } from "../../input/fields.ts";
import { changeId, parseChangeId } from "../../input/item-ids.ts";
import { createFormFunctions } from "../define-form.ts";
import type { OperationContext } from "../operation-context.ts";
import { update } from "./update.ts";

const reverted = z.object({
  id: z.string().nullable(),
  dry_run: z.boolean(),
  undo_of: z.array(z.string()),
  effects: z.array(
    eventRecord
      .pick({ kind: true, subject_type: true, subject_id: true })
      .extend({ changed: z.array(fieldChange) }),
  ),
  changeset: z
    .string()
    .describe("The effect as ops; `#` lines describe effects that no op can express."),
});

const EDITABLE_FIELDS: readonly string[] = Object.keys(update.input.shape).filter(
  (field) => field !== "id" && field !== "if_match",
);

const togetherField = z
  .boolean()
  .default(false)
  .describe("Also undo later changes that depend on it.");
const dryRunField = z.boolean().default(false).describe("Report the effect without writing.");

type ChangeSelection = Pick<OperationContext, "tx" | "options"> & {
  readonly change: number;
};

interface UndoRequest {
  choose(context: ChangeSelection): Promise<readonly ChangeRow[]>;
  readonly together: boolean;
  readonly dryRun: boolean;
}

const reverting = createFormFunctions<UndoRequest, z.output<typeof reverted>>({
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
      changeset: createInverseChangeset(effects, EDITABLE_FIELDS),
    };
  },
});

function requireMayUndo(
  { options: { caller = OWNER }, location: { database } }: OperationContext,
  undone: readonly ChangeRow[],
): void {
  const others = undone.find(({ author }) => author !== caller.name);
  if (others === undefined) return;
  const what = `Undoing ${changeId(others.id)}, made by ${others.author ?? "someone else"},`;
  requireScope(caller, "decide", what, database);
}

const MAX_SHOWN_LINES = 20;

function describeUndo({ id, undo_of: undone, changeset }: z.output<typeof reverted>): string {
  const all = changeset.split("\n").filter((line) => line !== "");
  const lines = all.slice(0, MAX_SHOWN_LINES).map((line) => `  ${line}`);
  if (all.length > MAX_SHOWN_LINES) lines.push(`  … and ${all.length - MAX_SHOWN_LINES} more`);
  const what = undone.join(", ");
  return id === null
    ? [`Would undo ${what}:`, ...lines].join("\n")
    : [`Undid ${what}:`, ...lines, `That is ${id}; \`cairn undo ${id}\` reverses it.`].join("\n");
}

const undoInput = z.strictObject({
  change: changeIdField.optional().describe("Id of one change, e.g. change:7."),
  since: changeIdField.optional().describe("All changes after this one; change:0 for all."),
  until: changeIdField.optional().describe("With `since`: the last change to undo."),
  author: nameField.optional().describe("With `since` or alone: only changes of this author."),
  session: referenceField.optional().describe("With `since`: only changes of this session."),
  together: togetherField,
  dry_run: dryRunField,
});

export const undo = reverting({
  name: "undo",
  summary: "Undo a change, a range of changes, or your last change",
  description:
    "An undo is itself a change and can be undone; the feed only grows. If later " +
    "changes depend on the given one, it fails and names them. Without a change or `since` it undoes the " +
    "latest change made through the same surface as this call.",
  input: undoInput,
  output: reverted,
  mcp: {
    core: true,
    destructive: true,
    purpose: "Undo a change of memory: the given one, or your last one.",
    detail: "Fails if later changes depend on it, and names them.",
    fieldsOfPrograms: ["session", "author"],
    plainFields: ["dry_run"],
  },
  rest: { method: "POST", path: "/undo" },
  confirm: (_input, used) => describeUndo(used),
  cli: {
    shelf: "everyday",
    positionals: ["change"],
    example: "cairn undo\ncairn undo change:7 --dry-run",
  },
  bind: ({ together, dry_run: dryRun, ...range }) => ({
    choose: (context) => chooseChanges(context, range),
    together,
    dryRun,
  }),
});

export const redo = reverting({
  name: "redo",
  summary: "Redo an undone change: the named one, or your last undo",
  input: z.strictObject({
    change: changeIdField.optional().describe("Id of the change that an undo was."),
    together: togetherField,
    dry_run: dryRunField,
  }),
  output: reverted,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/redo" },
  confirm: (_input, used) => describeUndo(used),
  cli: { positionals: ["change"], example: "cairn redo" },
  bind: ({ change, together, dry_run: dryRun }) => ({
    async choose({ tx, options }) {
      const number = change === undefined ? undefined : parseChangeId(change, "change");
      return [await selectUndo(tx, { change: number, surface: options.surface })];
    },
    together,
    dryRun,
  }),
});

type Range = Pick<z.output<typeof undoInput>, "change" | "since" | "until" | "author" | "session">;

async function chooseChanges(
  { tx, change: own = Number.POSITIVE_INFINITY, options }: ChangeSelection,
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
    // Named callers undo their own last change.
    author: author ?? (isMine ? options.caller?.name : undefined),
    session: session ?? (isMine ? options.session : undefined),
    surface: isMine ? options.surface : undefined,
    before: Number.isFinite(before) ? before : undefined,
  });
}

/** `change:0` is the state before the first change. */
function parseSince(text: string): number {
  return /^(?:change:)?0$/.test(text) ? 0 : parseChangeId(text, "since");
}
