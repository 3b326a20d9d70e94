import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import type { ChangeRow } from "../../history/load-changes.ts";
import { selectChanges, selectUndo } from "../../history/undo/select-changes.ts";
import { changeIdField, nameField, referenceField } from "../../input/fields.ts";
import { parseChangeId } from "../../input/item-ids.ts";
import { type Choosing, dryRunField, takenBack, takingBack, togetherField } from "./taking-back.ts";
import { tellTaken } from "./tell-taken.ts";

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
  output: takenBack,
  mcp: {
    core: true,
    destructive: true,
    purpose: "Undo a change of memory: the named one, or the last one you made.",
    detail: "Fails if later changes depend on it, and names them.",
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
  output: takenBack,
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

/** `change:0` stands before the first change. */
function parseSince(text: string): number {
  return /^(?:change:)?0$/.test(text) ? 0 : parseChangeId(text, "since");
}
