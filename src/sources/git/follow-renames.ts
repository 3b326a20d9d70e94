/** What a commit did to a file, as `git log --name-status` prints it. */
export interface FileChange {
  /** `A`, `M`, `D`, `R100`. */
  readonly status: string;
  readonly path: string;
  /** What it was called before; of a renamed file. */
  readonly from?: string | undefined;
}

export function parseFileChange(line: string): FileChange | undefined {
  const [status, first, second] = line.split("\t");
  if (status === undefined || status === "" || first === undefined) return undefined;
  return second === undefined ? { status, path: first } : { status, path: second, from: first };
}

/**
 * Follows files through a history that is told from its newest commit on: the files of a commit
 * under the names that they have now, and then under those that they had.
 */
export class Renames {
  /** The name of now by a name of then. */
  readonly #present = new Map<string, string>();

  filesOf(changes: readonly FileChange[]): string[] {
    const now = changes.map(({ path }) => this.#present.get(path) ?? path);
    const then = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    for (const [index, { status, path, from }] of changes.entries()) {
      // Before a commit that made or moved it, the name was nobody's, or another file's.
      if (status.startsWith("A") || from !== undefined) this.#present.delete(path);
      if (from !== undefined) this.#present.set(from, now[index] ?? path);
    }
    return [...new Set([...now, ...then])];
  }
}
