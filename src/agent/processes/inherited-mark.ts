import { closeSync, constants, openSync, readlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Higher than what programs count on, lower than what a shell keeps for itself. */
const DESCRIPTOR = 97;

/**
 * An open file that is no more, with the mark as its name. A command's descendants inherit it under
 * the same number, whatever environment, session or parent they have; only what closes all its
 * descriptors loses it. Undefined where no file can be made.
 */
export class InheritedMark {
  /** For `spawn`: nothing, up to the descriptor of the mark. */
  readonly stdio: readonly ("ignore" | number)[];
  readonly #file: number | undefined;

  constructor(mark: string) {
    this.#file = openUnlinked(join(tmpdir(), mark));
    const gap = Array.from({ length: DESCRIPTOR - 3 }, () => "ignore" as const);
    this.stdio = this.#file === undefined ? [] : [...gap, this.#file];
  }

  /** Once the command is started: from then on it is the command's alone. */
  letGo(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** The mark that a process has inherited; undefined without a /proc, too. */
export function inheritedMark(pid: number): string | undefined {
  try {
    const name = basename(readlinkSync(`/proc/${pid}/fd/${DESCRIPTOR}`));
    return name.endsWith(DELETED) ? name.slice(0, -DELETED.length) : undefined;
  } catch {
    // It has no such file, has just ended, or is another user's.
    return undefined;
  }
}

const DELETED = " (deleted)";

const { O_RDONLY, O_CREAT, O_EXCL } = constants;

function openUnlinked(path: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const file = openSync(path, O_RDONLY | O_CREAT | O_EXCL, 0o400);
    unlinkSync(path);
    return file;
  } catch {
    // A full disk does not keep commands from running; their environment carries the mark, too.
    return undefined;
  }
}
