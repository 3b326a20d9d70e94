import { withTimeout } from "../../shared/async.ts";
import { mayOpen, OWNER } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import { AGAINST_NOTHING, type AgainstFarther, type SaidToHold } from "../context/said-to-hold.ts";
import { CLAIMING, findContradicted } from "../learned/find-contradicted.ts";
import { warningOf } from "../recall/unread-layer.ts";
import type { FartherMemory, PrepareContext } from "../search/prepare-context.ts";

/** A write does not wait longer for a farther layer; milliseconds. */
const PATIENCE_MS = 1_000;
/** More claims of one write are not held against other layers; recall tells what contradicts all the same. */
const MOST_CLAIMS = 100;

/**
 * What is about to be written, held against the layers behind the memory that the caller may read. It is only
 * ever read there: nothing of the claims is left in them.
 */
export async function againstFarther(
  { farther, options: { caller = OWNER } }: Pick<PrepareContext, "farther" | "options">,
  claims: readonly SaidToHold[],
  logger: Logger,
): Promise<AgainstFarther> {
  const held = claims
    .filter(({ episode_type: type }) => CLAIMING.includes(type))
    .slice(0, MOST_CLAIMS);
  const layers = held.length === 0 ? [] : farther().filter(({ name }) => mayOpen(caller, name));
  if (layers.length === 0) return AGAINST_NOTHING;
  const found = new Map<string, string[]>();
  for (const ids of await Promise.all(layers.map((layer) => idsIn(layer, held, logger)))) {
    for (const [place, claim] of held.entries()) {
      found.set(keyOf(claim), [...(found.get(keyOf(claim)) ?? []), ...(ids[place] ?? [])]);
    }
  }
  return (claim) => [...new Set(found.get(keyOf(claim)) ?? [])];
}

function keyOf({ content, episode_type: type }: Pick<SaidToHold, "content" | "episode_type">) {
  return JSON.stringify([type, content]);
}

/** None of a layer that does not answer: what was written is stored all the same. */
async function idsIn(
  layer: FartherMemory,
  claims: readonly SaidToHold[],
  logger: Logger,
): Promise<readonly (readonly string[])[]> {
  try {
    return await withTimeout({ patienceMs: PATIENCE_MS }, async () => {
      if (!(await layer.isThere())) return [];
      const found = await layer.readHere((tx) => findContradicted(tx, claims));
      return found.map((records) => records.map(({ id }) => `${layer.name}/${id}`));
    });
  } catch (error) {
    logger.warn(`What is written is not held against it: ${warningOf(layer.name, error).message}`);
    return [];
  }
}
