import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Template databases: with pgvector, and one that rejects extensions. */
export const KINDS = ["with_vectors", "without_vectors"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Hands databases to tests synchronously: each is a file that contains its URL and moves from
 * folder to folder.
 */
export interface LeaseFolders {
  readonly folder: string;
  readonly spares: Readonly<Record<Kind, string>>;
  readonly taken: string;
  readonly done: string;
  readonly failure: string;
}

export function createLeaseFolders(folder: string): LeaseFolders {
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

export function initializeFolders({ spares, taken, done }: LeaseFolders): void {
  for (const folder of [...Object.values(spares), taken, done]) {
    mkdirSync(folder, { recursive: true });
  }
}
