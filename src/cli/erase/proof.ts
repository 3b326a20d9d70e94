import type { App, KeptText } from "../../app/index.ts";
import type { MemoryEngine, OutputOf } from "../../memory/index.ts";
import { ownWords } from "../purge/own-words.ts";

export type Erased = OutputOf<"erase">;

/** What was erased in one database, and the words by which it could be found again. */
export interface ErasedDatabase {
  readonly db: string;
  readonly erased: Erased;
  readonly words: readonly string[];
}

/** What was erased, where it was searched for afterwards, and what is left. */
export interface Proof {
  readonly databases: readonly {
    readonly db: string;
    readonly change?: string;
    readonly erased: Erased["erased"];
    readonly held: Erased["held"];
    readonly remains: Erased["remains"];
    readonly kept_elsewhere: Erased["kept_elsewhere"];
  }[];
  readonly verified: {
    /** How many beginnings of erased lines were searched for. */
    readonly words: number;
    /** How many files and places of tables were searched. */
    readonly looked: number;
    readonly found: readonly KeptText[];
    readonly unread: readonly string[];
    /** Where the name itself remains: in texts of others, or in names of tokens. */
    readonly name_found: readonly KeptText[];
  };
}

/** At most this many lines of one database are searched for. */
const MOST_WORDS = 200;

/** The words of the items that a dry run named, read before they are erased. */
export function wordsOf(memory: MemoryEngine, { purged }: Erased): Promise<string[]> {
  return ownWords(memory, purged, MOST_WORDS);
}

/** Searches everything that cairn keeps or has written. */
export async function proofOf(
  app: App,
  databases: readonly ErasedDatabase[],
  names: readonly string[],
): Promise<Proof> {
  const { findEverywhere } = await import("../../app/index.ts");
  const words = [...new Set(databases.flatMap((one) => one.words))];
  const named = await findEverywhere(app, names);
  const nothing = { found: [], unread: named.unread, looked: named.looked };
  const { found, unread, looked } = words.length === 0 ? nothing : await findEverywhere(app, words);
  return {
    databases: databases.map(({ db, erased }) => ({
      db,
      ...(erased.id !== undefined && { change: erased.id }),
      erased: erased.erased,
      held: erased.held,
      remains: erased.remains,
      kept_elsewhere: erased.kept_elsewhere,
    })),
    verified: { words: words.length, looked, found, unread, name_found: named.found },
  };
}
