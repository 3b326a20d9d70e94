import type { Database, Tx } from "../../database/index.ts";
import { OWNER } from "../../shared/caller.ts";
import type { LayeredMemory } from "./execute-in-layers.ts";
import { labelContradiction } from "./label-contradiction.ts";

/** What the sweep for contradictions needs of the nearer memory, whose labels it writes. */
export interface SweptMemory {
  readonly name: string;
  isThere(): Promise<boolean>;
  readHere<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Of what is kept for this work alone: no change, and no event. */
  writeHere<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Labels an episode, in a change of its own; false where there is nothing to label any more. */
  label(id: string, layer: string, other: string): Promise<boolean>;
}

export function sweptMemory(
  memory: Pick<LayeredMemory, "name" | "isThere" | "executeHere" | "readHere">,
  database: Database,
): SweptMemory {
  return {
    name: memory.name,
    isThere: () => memory.isThere(),
    readHere: (body) => memory.readHere(body),
    writeHere: (body) => database.write(body),
    async label(id, layer, other) {
      const options = { caller: OWNER, author: "contradictions" };
      const answer = await memory.executeHere(labelContradiction, { id, layer, other }, options);
      return labelContradiction.output.parse(answer).added;
    },
  };
}
