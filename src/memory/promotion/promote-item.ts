import { z } from "zod";
import { type Caller, mayOpen, OWNER, requireScope } from "../../shared/caller.ts";
import { CairnError, invalidInput, isCairnError, stateConflict } from "../../shared/errors.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import { type CollisionRecord, collisionRecord } from "../facts/fact.schema.ts";
import type { OuterMemory, PrepareContext } from "../search/prepare-context.ts";
import { loadPromoted, type PromotedItem } from "./promoted-item.ts";

export interface PromoteRequest {
  readonly id: string;
  readonly to: string;
  readonly dry_run: boolean;
}

export interface Promoted extends PromotedItem {
  /** The copy in the outer layer; undefined on a dry run. */
  readonly made: CreatedItem | undefined;
}

interface CreatedItem {
  readonly id: string;
  readonly isNew: boolean;
  readonly collisions: readonly CollisionRecord[];
}

const remembered = z.object({
  id: z.string(),
  collisions: z.array(collisionRecord).default([]),
});

/** Copies an item to an outer layer in one transaction. Idempotent. */
export async function promoteItem(
  { outerLayers, database, read, options }: PrepareContext,
  { id, to, dry_run: isRehearsal }: PromoteRequest,
): Promise<Promoted> {
  const caller = options.caller ?? OWNER;
  const target = requireLayer(outerLayers(), to, { database, caller });
  const item = await read((tx) => loadPromoted(tx, id, database));
  if (isRehearsal) return { ...item, made: undefined };
  return { ...item, made: await copyToLayer(target, item, options) };
}

async function copyToLayer(
  target: OuterMemory,
  { id, goes, key }: PromotedItem,
  options: ExecuteOptions,
): Promise<CreatedItem> {
  const { signal, surface, author, run, caller = OWNER } = options;
  const asPromoter = {
    caller,
    ...(signal !== undefined && { signal }),
    ...(surface !== undefined && { surface }),
    ...(author !== undefined && { author }),
    ...(run !== undefined && { run }),
  };
  let isNew = false;
  const onChange = () => {
    isNew = true;
  };
  try {
    const input = { ...goes, idempotency_key: key };
    const created = await target.executeNamed("remember", input, { ...asPromoter, onChange });
    const { id: there, collisions } = remembered.parse(created);
    return { id: `${target.name}/${there}`, isNew, collisions };
  } catch (error) {
    if (isCairnError(error) && error.code === "conflict" && error.message.includes(key)) {
      throw stateConflict(
        `id: ${id} was already promoted to ${target.name}, and its text has changed since. Update the copy there, or ` +
          `store the new text there: cairn remember TEXT --db ${target.name}.`,
      );
    }
    throw error;
  }
}

/** Does not reveal the existence of layers that the caller's token cannot access. */
function requireLayer(
  layers: readonly OuterMemory[],
  to: string,
  { database, caller }: { readonly database: string; readonly caller: Caller },
): OuterMemory {
  if (!mayOpen(caller, to)) {
    throw new CairnError(
      "forbidden",
      `to: the token of ${caller.name ?? "the server"} gives no access to "${to}". Request a token that does: ` +
        "cairn token create NAME --scope write --databases A,B.",
    );
  }
  requireScope(caller, "write", `Promoting to ${to}`, to);
  const found = layers.find(({ name }) => name === to);
  if (found !== undefined) return found;
  const open = layers.filter(({ name }) => mayOpen(caller, name)).map(({ name }) => name);
  const cure =
    open.length === 0
      ? `Add the outer layers of ${database} to your settings: cairn config set layers '["${to}"]'.`
      : `Its outer layers are ${open.join(", ")}.`;
  throw invalidInput(`to: "${to}" is not an outer layer of ${database}. ${cure}`);
}
