import type { Tx } from "../../database/index.ts";
import { StaleWrite } from "../../kernel/errors.ts";
import { isPlainObject } from "../../kernel/json.ts";
import { versionOf } from "./change-recorder.ts";
import { presentRecord } from "./present-record.ts";

/** As much of an operation as a check needs. */
export interface VersionedOperation {
  /** The field of the input that names the item which is written. */
  readonly target?: string | undefined;
}

/**
 * Takes `if_match` out of an input and checks it against the item. Throws StaleWrite, whose details
 * hold the version that is there, which is the newest event that made it, and the record.
 */
export async function requireVersion(
  tx: Tx,
  { target }: VersionedOperation,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (target === undefined || !isPlainObject(input)) return input;
  const { if_match: expected, ...rest } = input;
  if (expected === undefined) return input;
  const id = String(input[target]);
  const version = await versionOf(tx, id);
  if (version === expected) return rest;
  throw new StaleWrite(
    `if_match: ${id} is at version ${version}, not ${String(expected)}: somebody wrote it since. Read it again, then decide`,
    { id, version, present: await presentRecord(tx, id) },
  );
}
