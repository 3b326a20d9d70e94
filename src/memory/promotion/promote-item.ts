import { z } from "zod";
import { type Caller, mayOpen, OWNER, requireScope } from "../../kernel/caller.ts";
import { CairnError, invalidInput, isCairnError, stateConflict } from "../../kernel/errors.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import { type CollisionRecord, collisionRecord } from "../facts/fact.schema.ts";
import type { FartherMemory, PrepareContext } from "../search/prepare-context.ts";
import { loadPromoted, type PromotedItem } from "./promoted-item.ts";

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
}

const remembered = z.object({ id: z.string(), collisions: z.array(collisionRecord).default([]) });

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
  let isNew = false;
  try {
    const made = await target.executeNamed(
      "remember",
      { ...goes, idempotency_key: key },
      {
        caller,
        ...(signal !== undefined && { signal }),
        ...(surface !== undefined && { surface }),
        ...(author !== undefined && { author }),
        ...(run !== undefined && { run }),
        // What was made before is no change.
        onChange: () => {
          isNew = true;
        },
      },
    );
    const { id: there, collisions } = remembered.parse(made);
    return { id: `${target.name}/${there}`, isNew, collisions };
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
