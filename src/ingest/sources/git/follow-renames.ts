/** What a commit did to a file, as `git log --name-status` prints it. */
export interface FileChange {
  /** Git's status letter: `A`, `M`, `D`, `R100`. */
  readonly status: string;
  readonly path: string;
  /** The former path of a renamed file. */
  readonly from?: string | undefined;
}

export function parseFileChange(line: string): FileChange | undefined {
  const [status, first, second] = line.split("\t");
  if (status === undefined || status === "" || first === undefined) return undefined;
  return second === undefined ? { status, path: first } : { status, path: second, from: first };
}

/**
 * Follows files through a history that is read from its newest commit: gives the files of a commit under
 * their current names, followed by their former ones.
 */
export class Renames {
  /** Current name by former name. */
  readonly #present = new Map<string, string>();

  filesOf(changes: readonly FileChange[]): string[] {
    const now = changes.map(({ path }) => this.#present.get(path) ?? path);
    const then = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    for (const [index, { status, path, from }] of changes.entries()) {
      // Before a commit that created or moved the file, the name belonged to nothing or to another file.
      if (status.startsWith("A") || from !== undefined) this.#present.delete(path);
      if (from !== undefined) this.#present.set(from, now[index] ?? path);
    }
    return [...new Set([...now, ...then])];
  }
}
