import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { type Caller, OWNER, requireScope } from "../../shared/caller.ts";
import { stateConflict } from "../../shared/errors.ts";
import { type LabelSubject, labelsOf } from "./label.queries.ts";
import type { LabelRecord } from "./label.schema.ts";
import { conceptLabels, episodeLabels } from "./label.table.ts";

/** The key of a label under which an item must stay, whatever rule or person would have it gone. */
export const HOLD = "hold";

/** Throws conflict for an item that has to stay. */
export async function requireNotHeld(
  tx: Tx,
  subjects: readonly LabelSubject[],
  { id, field }: { readonly id: string; readonly field: string },
): Promise<void> {
  for (const { table, column, type } of TABLES) {
    const numbers = subjects.filter((one) => one.type === type).map(({ number }) => number);
    if (numbers.length === 0) continue;
    const [held] = await tx
      .select({ value: table.value })
      .from(table)
      .where(and(inArray(column, numbers), eq(table.key, HOLD)))
      .limit(1);
    if (held === undefined) continue;
    throw stateConflict(
      `${field}: ${id} is under a legal hold (${HOLD}=${held.value}) and stays. An admin lifts it: cairn unlabel ${id} ${HOLD}.`,
    );
  }
}

const TABLES = [
  { type: "episode", table: episodeLabels, column: episodeLabels.episodeId },
  { type: "concept", table: conceptLabels, column: conceptLabels.conceptId },
] as const;

/** Throws forbidden where a label that holds an item would go and the caller is no admin. */
export function requireMayLift(caller: Caller = OWNER): void {
  requireScope(caller, "admin", "Lifting a legal hold");
}

/** The same for labels that are replaced by others. */
export async function requireHoldKept(
  tx: Tx,
  subject: LabelSubject,
  {
    labels,
    caller,
  }: { readonly labels: readonly LabelRecord[]; readonly caller: Caller | undefined },
): Promise<void> {
  const held = (await labelsOf(tx, subject)).filter(({ key }) => key === HOLD);
  const keeps = ({ value }: LabelRecord) =>
    labels.some((label) => label.key === HOLD && label.value === value);
  if (!held.every(keeps)) requireMayLift(caller);
}
