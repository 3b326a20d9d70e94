import type { Database, Tx } from "../../database/index.ts";
import { isCairnError } from "../../kernel/errors.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import { parseNumberedId } from "../input/item-ids.ts";
import type { Memory } from "../memory.ts";

/** What the sweep for contradictions needs of the nearer memory, whose labels it writes. */
export interface SweptMemory {
  readonly name: string;
  isThere(): Promise<boolean>;
  readHere<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Of what is kept for this work alone: no change, and no event. */
  writeHere<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Adds a label, in a change of its own. False where it is there, or the episode is gone by now. */
  label(id: string, key: string, value: string): Promise<boolean>;
}

export function sweptMemory(
  memory: Pick<Memory, "name" | "isThere" | "execute"> & Pick<SweptMemory, "readHere">,
  database: Database,
): SweptMemory {
  return {
    name: memory.name,
    isThere: () => memory.isThere(),
    readHere: (body) => memory.readHere(body),
    writeHere: (body) => database.write(body),
    async label(id, key, value) {
      // Another server may have come first.
      const [held] = await memory.readHere((tx) =>
        loadEpisodes(tx, [parseNumberedId(id, "episode", "id")]),
      );
      const isThere = held?.labels.some((it) => it.key === key && it.value === value);
      if (held === undefined || isThere === true) return false;
      try {
        await memory.execute("label", { id, key, value }, { author: "contradictions" });
        return true;
      } catch (error) {
        if (isCairnError(error) && error.code === "not_found") return false;
        throw error;
      }
    },
  };
}
