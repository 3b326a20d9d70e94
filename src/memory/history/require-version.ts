import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { StaleWrite } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { loadConcept } from "../concepts/concept.queries.ts";
import { concepts } from "../concepts/concept.table.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import { kindOfId } from "../input/item-ids.ts";
import { loadVersion } from "./change-recorder.ts";

export interface VersionedOperation {
  readonly target?: string | undefined;
  writes?(tx: Tx, input: Record<string, unknown>): Promise<readonly string[]>;
}

/**
 * Removes `if_match` from the input and checks it against the item's version, the newest event that
 * changed it. For several items the last written one counts. Throws StaleWrite with the record and
 * its version.
 */
export async function requireVersion(
  tx: Tx,
  operation: VersionedOperation,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!isPlainObject(input) || input.if_match === undefined) return input;
  const { if_match: expected, ...rest } = input;
  const { id, version } = await loadLastVersion(tx, await findWrittenIds(tx, operation, rest));
  if (version === expected) return rest;
  throw new StaleWrite(
    `if_match: ${id} is at version ${version}, not ${String(expected)}: it has changed. Read it again and retry`,
    { id, version, present: await loadCurrentRecord(tx, id) },
  );
}

async function findWrittenIds(
  tx: Tx,
  operation: VersionedOperation,
  input: Record<string, unknown>,
): Promise<readonly string[]> {
  if (operation.target !== undefined) return [String(input[operation.target])];
  return (await operation.writes?.(tx, input)) ?? [];
}

async function loadLastVersion(tx: Tx, ids: readonly string[]) {
  let last = { id: ids[0] ?? "", version: 0 };
  for (const id of ids) {
    const version = await loadVersion(tx, id);
    if (version > last.version) last = { id, version };
  }
  return last;
}

async function loadCurrentRecord(tx: Tx, id: string): Promise<object | null> {
  const kind = kindOfId(id);
  const number = Number(id.slice(id.indexOf(":") + 1));
  if (kind === "episode") return (await loadEpisodes(tx, [number]))[0] ?? null;
  if (kind === "fact") return (await loadFacts(tx, [number]))[0] ?? null;
  if (kind !== "concept" && kind !== undefined) return null;
  const [row] = await tx
    .select({ number: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id));
  return row === undefined ? null : loadConcept(tx, row.number);
}
