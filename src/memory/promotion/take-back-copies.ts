import { z } from "zod";
import { withTimeout } from "../../shared/async.ts";
import { OWNER, requireDatabase } from "../../shared/caller.ts";
import { groupBy } from "../../shared/collections.ts";
import { CairnError, type ErrorCode, isCairnError } from "../../shared/errors.ts";
import { changeId, parseChangeId } from "../input/item-ids.ts";
import { PATIENCE_MS } from "../recall/unread-layer.ts";
import type { FartherMemory, PrepareContext, TakenElsewhere } from "../search/prepare-context.ts";
import {
  type CopyWritten,
  type NotedElsewhere,
  stateOfChanges,
  type WrittenElsewhere,
} from "./made-elsewhere.ts";

export const copyOutcome = z.object({
  id: z.string().describe("The copy; its id begins with its layer."),
  outcome: z.enum(["taken_back", "brought_back", "left"]),
  reason: z.string().optional().describe("Why it was left as it is."),
});

/** What became of one copy. */
export interface TakenCopy {
  readonly told: z.output<typeof copyOutcome>;
  /** What was written in its layer; undefined where nothing was. */
  readonly written: CopyWritten | undefined;
}

type Taking = Omit<TakenElsewhere, "changes">;

/** Of the answer of that operation. */
const taken = z.object({
  id: z.string().nullable(),
  effects: z.array(z.object({ kind: z.string(), subject_id: z.string() })),
});

/**
 * Takes back in farther layers what changes of this memory wrote there, as far as the caller may and nothing stands
 * on it: each copy wholly or not at all. Throws what keeps a layer from answering.
 */
export async function takeBackCopies(
  context: PrepareContext,
  noted: readonly NotedElsewhere[],
  taking: Taking,
): Promise<TakenCopy[]> {
  const copies = groupBy(noted, ({ item, id }) => JSON.stringify([item, id]));
  const all: TakenCopy[] = [];
  for (const [first, ...others] of copies.values()) {
    if (first === undefined) continue;
    const changes = [first, ...others].flatMap((one) => one.changes);
    all.push(await takeBackCopy(context, { ...first, changes }, taking));
  }
  return all;
}

async function takeBackCopy(
  { farther, database, options }: PrepareContext,
  copy: CopyWritten,
  taking: Taking,
): Promise<TakenCopy> {
  const { layer } = copy;
  const left = (reason: string): TakenCopy => ({
    told: { id: copy.id, outcome: "left", reason },
    written: undefined,
  });
  const target = farther().find(({ name }) => name === layer);
  if (target === undefined)
    return left(`${layer} is no layer behind ${database} any more. ${wayThere(copy)}`);
  try {
    requireDatabase(options.caller ?? OWNER, layer);
    const inForce = await standingIn(target, copy);
    if (inForce === undefined) return left(`${layer} was put back to an earlier moment since.`);
    if (inForce.changes.length === 0) return left(doneBefore(layer, inForce.by));
    return await takeIn(target, { ...copy, changes: inForce.changes }, { ...taking, options });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isCairnError(error)) throw error;
    if (NOT_ANSWERED.has(error.code)) throw unanswered(copy, error.code);
    return left(`${reasonOf(layer, error)} ${wayThere(copy)}`);
  }
}

const NOT_ANSWERED: ReadonlySet<ErrorCode> = new Set(["busy", "unavailable", "internal"]);

interface Standing {
  readonly changes: WrittenElsewhere["changes"];
  /** Where none is in force: the change that took all of them back, if it was one. */
  readonly by: { readonly id: number; readonly ts: string; readonly author: string } | undefined;
}

/** Which of the changes are in force; undefined where they are not those that were noted. */
async function standingIn(
  target: FartherMemory,
  { changes }: CopyWritten,
): Promise<Standing | undefined> {
  return withTimeout({ patienceMs: PATIENCE_MS }, async () => {
    if (!(await target.isThere())) return undefined;
    return target.readHere(async (tx) => {
      const numbers = changes.map(({ id }) => parseChangeId(id, "change"));
      const rows = await stateOfChanges(tx, numbers);
      const times = new Map(rows.map(({ id, ts }) => [changeId(id), ts]));
      if (changes.some(({ id, ts }) => times.get(id) !== ts)) return undefined;
      const inForce = rows.filter(({ undoneBy }) => undoneBy === null);
      const undoers = new Set(rows.flatMap(({ undoneBy }) => undoneBy ?? []));
      const [by] = undoers.size === 1 ? await stateOfChanges(tx, [...undoers]) : [];
      return { changes: inForce.map(({ id, ts }) => ({ id: changeId(id), ts })), by };
    });
  });
}

async function takeIn(
  target: FartherMemory,
  copy: CopyWritten,
  { as, isRehearsal, options }: Taking & Pick<PrepareContext, "options">,
): Promise<TakenCopy> {
  const { signal, surface, author, run, caller = OWNER } = options;
  const answer = await target.takeBack(
    { changes: copy.changes.map(({ id }) => id), as, isRehearsal },
    {
      caller,
      ...(signal !== undefined && { signal }),
      ...(surface !== undefined && { surface }),
      ...(author !== undefined && { author }),
      ...(run !== undefined && { run }),
    },
  );
  const { id, effects } = taken.parse(answer);
  const isGone = effects.some(
    ({ kind, subject_id: subject }) => kind === "deleted" && `${copy.layer}/${subject}` === copy.id,
  );
  const rows =
    id === null
      ? []
      : await target.readHere((tx) => stateOfChanges(tx, [parseChangeId(id, "change")]));
  return {
    told: { id: copy.id, outcome: isGone ? "taken_back" : "brought_back" },
    written: { ...copy, changes: rows.map((row) => ({ id: changeId(row.id), ts: row.ts })) },
  };
}

/** By somebody there, or by an earlier call of which nobody learned whether it ended. */
function doneBefore(layer: string, by: Standing["by"]): string {
  return by === undefined
    ? `In ${layer}, that was done before.`
    : `In ${layer}, ${changeId(by.id)} by ${by.author} did that before.`;
}

function reasonOf(layer: string, error: CairnError): string {
  const { data } = z.object({ standing: z.array(z.string()) }).safeParse(error.details);
  const standing = data?.standing ?? [];
  if (standing.length === 0) return error.message;
  const named = standing.slice(0, NAMED).join(", ");
  const more = standing.length > NAMED ? ` and ${standing.length - NAMED} more` : "";
  return `In ${layer}, ${named}${more} came later and stand${standing.length === 1 ? "s" : ""} on it.`;
}

const NAMED = 5;

/** How whoever may do it does it there. */
function wayThere({ layer, changes }: CopyWritten): string {
  const [first] = changes;
  return first === undefined
    ? ""
    : `To do it there: cairn undo ${first.id} --together --db ${layer}.`;
}

function unanswered({ id, layer }: CopyWritten, code: ErrorCode): CairnError {
  return new CairnError(
    code,
    `${id} is to be taken back, too, and ${layer} does not answer (${code}), so nothing was taken back here. ` +
      `Ask again in a moment; \`cairn doctor --db ${layer}\` says what is wrong with it.`,
  );
}
