import { z } from "zod";
import { type Caller, mayOpen, OWNER, requireScope } from "../../shared/caller.ts";
import { CairnError, invalidInput, isCairnError, stateConflict } from "../../shared/errors.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import { type CollisionRecord, collisionRecord } from "../facts/fact.schema.ts";
import { findContradicted } from "../learned/find-contradicted.ts";
import { Overruling } from "../learned/overruling.ts";
import type { FartherMemory, PrepareContext } from "../search/prepare-context.ts";
import { changesThatCopied, type WrittenElsewhere } from "./made-elsewhere.ts";
import { loadPromoted, type PromotedItem, type Travelling } from "./promoted-item.ts";

export interface PromoteRequest {
  readonly id: string;
  readonly to: string;
  readonly dry_run: boolean;
}

export interface Promoted extends PromotedItem {
  /** What it is in the farther layer; undefined in a rehearsal. */
  readonly made: Made | undefined;
}

interface Made {
  readonly id: string;
  readonly isNew: boolean;
  /** Facts of that layer that it may contradict. */
  readonly collisions: readonly CollisionRecord[];
  /** Conflicts that it opened there, which somebody of that layer decides. */
  readonly conflicts: readonly string[];
  /** Changes of that layer in which it became all that. */
  readonly changes: WrittenElsewhere["changes"];
}

const remembered = z.object({
  id: z.string(),
  fact_id: z.string().optional(),
  collisions: z.array(collisionRecord).default([]),
});
const opened = z.object({ id: z.string() });

/**
 * Copies an item to a farther layer, in one transaction of that one. Whoever did not learn what became
 * of it asks again: it is made once.
 */
export async function promoteItem(
  { farther, database, read, options }: PrepareContext,
  { id, to, dry_run: isRehearsal }: PromoteRequest,
): Promise<Promoted> {
  const caller = options.caller ?? OWNER;
  const target = layerNamed(farther(), to, { database, caller });
  const item = await read((tx) => loadPromoted(tx, id, database));
  if (isRehearsal) return { ...item, made: undefined };
  return { ...item, made: await copyTo(target, item, options) };
}

async function copyTo(
  target: FartherMemory,
  { id, goes, key }: PromotedItem,
  options: ExecuteOptions,
) {
  const { signal, surface, author, run, caller = OWNER } = options;
  const asPromoter = {
    caller,
    ...(signal !== undefined && { signal }),
    ...(surface !== undefined && { surface }),
    ...(author !== undefined && { author }),
    ...(run !== undefined && { run }),
  };
  let isNew = false;
  try {
    const made = await target.executeNamed(
      "remember",
      { ...goes, idempotency_key: key },
      {
        ...asPromoter,
        // What was made before is no change.
        onChange: () => {
          isNew = true;
        },
      },
    );
    const { id: there, fact_id: fact, collisions } = remembered.parse(made);
    const [contradicted = []] = await target.readHere((tx) => findContradicted(tx, [goes]));
    const others = new Set([
      ...contradicted.filter(({ id }) => id !== there).map(({ id, fact_id }) => fact_id ?? id),
      ...contradictedBy({ ...goes, layer: target.name }, collisions).map(({ id }) => id),
    ]);
    const conflicts: string[] = [];
    for (const other of others) {
      // Asked for once more, it does not open again what was decided since.
      const once = { name: `${key}:${other}`, settled: [] };
      const pair = { fact_a: other, fact_b: fact ?? there };
      conflicts.push(...(await openBetween(target, pair, { ...asPromoter, once })));
    }
    const changes = await target.readHere((tx) => changesThatCopied(tx, { key, conflicts }));
    return {
      id: `${target.name}/${there}`,
      isNew,
      collisions,
      conflicts: conflicts.map((conflict) => `${target.name}/${conflict}`),
      changes,
    };
  } catch (error) {
    if (isCairnError(error) && error.code === "conflict" && error.message.includes(key)) {
      throw stateConflict(
        `id: ${id} went to ${target.name} before, and reads otherwise now. Change it there, or say ` +
          `there what holds: cairn remember TEXT --db ${target.name}.`,
      );
    }
    throw error;
  }
}

/** Those of its neighbours that say otherwise, by the signs by which a recall tells a contradiction. */
function contradictedBy(
  { content: text, entities, episode_type: type, layer }: Travelling & { readonly layer: string },
  collisions: readonly CollisionRecord[],
): readonly CollisionRecord[] {
  if (collisions.length === 0) return [];
  const overruling = new Overruling();
  const claim = { id: "", layer, text, type, entities, score: 1 };
  return collisions.filter(
    ({ id, statement, status, entities: about = entities }) =>
      status === "active" &&
      overruling.saysOtherwise(claim, { ...claim, id, text: statement, entities: about }),
  );
}

/** None where somebody has opened one between the two. */
async function openBetween(
  target: FartherMemory,
  pair: { readonly fact_a: string; readonly fact_b: string },
  options: Parameters<FartherMemory["executeNamed"]>[2],
): Promise<string[]> {
  try {
    const description = "Promoted from a nearer layer, it says otherwise than what was held here.";
    const made = await target.executeNamed("open_conflict", { ...pair, description }, options);
    return [opened.parse(made).id];
  } catch (error) {
    if (isCairnError(error) && error.code === "conflict") return [];
    throw error;
  }
}

/** Whether there is a layer that the caller's token does not open is not told. */
function layerNamed(
  layers: readonly FartherMemory[],
  to: string,
  { database, caller }: { readonly database: string; readonly caller: Caller },
): FartherMemory {
  if (!mayOpen(caller, to)) {
    throw new CairnError(
      "forbidden",
      `to: the token of ${caller.name ?? "the server"} does not open "${to}". Ask for one that does: ` +
        "cairn token create NAME --scope write --databases A,B.",
    );
  }
  requireScope(caller, "write", `Promoting to ${to}`, to);
  const found = layers.find(({ name }) => name === to);
  if (found !== undefined) return found;
  const open = layers.filter(({ name }) => mayOpen(caller, name)).map(({ name }) => name);
  const cure =
    open.length === 0
      ? `Name the layers behind ${database} in your settings: cairn config set layers '["${to}"]'.`
      : `Those behind it are ${open.join(", ")}.`;
  throw invalidInput(`to: "${to}" is no layer behind ${database}. ${cure}`);
}
