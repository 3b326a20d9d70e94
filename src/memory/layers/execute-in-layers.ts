import { mayOpen } from "../../shared/caller.ts";
import type { CallOptions, Memory } from "../memory.ts";
import type { Operation } from "../operations/define-operation.ts";
import type { RecallOutput } from "../recall/recall.schema.ts";
import type { FartherMemory } from "../search/prepare-context.ts";
import { isOfOneLayer, type Layer, recallLayers } from "./recall-layers.ts";

/** A memory that others lie behind. */
export interface LayeredMemory extends Memory, FartherMemory {
  /** Runs the operation in this memory alone, whatever lies behind it. */
  executeHere(operation: Operation, input: unknown, options: CallOptions): Promise<unknown>;
}

interface NamedCall {
  readonly operation: Operation;
  readonly input: unknown;
  readonly options: CallOptions;
}

/** Runs the operation in `nearest`; recall of a surface reads the memories behind it, too. */
export async function executeInLayers(
  nearest: LayeredMemory,
  farther: () => readonly LayeredMemory[],
  call: NamedCall,
): Promise<unknown> {
  const { operation, input, options } = call;
  const asked = askedOf(farther, call);
  if (asked.length === 0) return nearest.executeHere(operation, input, options);
  const layerOf = (memory: LayeredMemory): Layer => ({
    name: memory.name,
    isThere: () => memory.isThere(),
    // Declared as the output of recall.
    recall: (given) => memory.executeHere(operation, input, given) as Promise<RecallOutput>,
  });
  return recallLayers(layerOf(nearest), asked.map(layerOf), { input, options });
}

/** Those that the caller may read. */
function askedOf(
  farther: () => readonly LayeredMemory[],
  { operation, input, options: { caller, surface } }: NamedCall,
): readonly LayeredMemory[] {
  // Without a surface it is a step of something else, which acts on the ids that it gets.
  if (operation.name !== "recall" || surface === undefined || isOfOneLayer(input)) return [];
  return farther().filter((it) => mayOpen(caller, it.name));
}
