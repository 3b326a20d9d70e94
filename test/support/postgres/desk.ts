import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** What the databases of tests are copies of: with pgvector, or on a server that does not offer it. */
export const KINDS = ["with_vectors", "without_vectors"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Where a test gets a database from the process that runs it, without an await: a database is a
 * file that holds its address, and is moved from one of these folders to the next.
 */
export interface Desk {
  readonly folder: string;
  readonly spares: Readonly<Record<Kind, string>>;
  readonly taken: string;
  readonly done: string;
  /** A file that is there when no database can be had, and says why. */
  readonly failure: string;
}

export function deskAt(folder: string): Desk {
  return {
    folder,
    spares: {
      with_vectors: join(folder, "with_vectors"),
      without_vectors: join(folder, "without_vectors"),
    },
    taken: join(folder, "taken"),
    done: join(folder, "done"),
    failure: join(folder, "failure"),
  };
}

export function layOut({ spares, taken, done }: Desk): void {
  for (const folder of [...Object.values(spares), taken, done]) {
    mkdirSync(folder, { recursive: true });
  }
}
