import { type FSWatcher, watch } from "node:fs";
import { yieldToEventLoop } from "../../shared/async.ts";

/** Others on the machine need theirs, and some systems have 8 192 for a user. */
const MAX_WATCHED = 4_096;
/** Of these the system keeps 16 384 and drops what comes then: before, nothing was dropped. */
const MANY_NOTICES = 8_000;

interface Watched {
  readonly watcher: FSWatcher;
  readonly ino: number;
}

/**
 * Knows of folders whether anything was written in them, by the notices of the system, so that their
 * files need not be looked at one by one. In doubt it says that something was.
 */
export class WrittenFolders {
  readonly #watched = new Map<string, Watched>();
  readonly #untouched = new Set<string>();
  #notices = 0;
  /** Only Linux tells a folder's watcher of writes to its files. */
  #isUseless = process.platform !== "linux";

  /** Before anything is asked: what was done until now is known then. */
  async catchUp(): Promise<void> {
    // The notices of the system are read between two of these, whatever is going on now.
    await yieldToEventLoop();
    await yieldToEventLoop();
    if (this.#notices > MANY_NOTICES) this.#untouched.clear();
    this.#notices = 0;
  }

  /** True if nothing was written in the folder since it was followed last. */
  isUntouched(folder: string, ino: number): boolean {
    return this.#untouched.has(folder) && this.#watched.get(folder)?.ino === ino;
  }

  /** To be called before the files of the folder are looked at. */
  follow(folder: string, { path, ino }: { readonly path: string; readonly ino: number }): void {
    if (this.#isUseless) return;
    if (this.#watched.get(folder)?.ino !== ino) this.#watch(folder, path, ino);
    if (this.#watched.has(folder)) this.#untouched.add(folder);
  }

  /** Lets go of the folders that are no more. */
  keepOnly(folders: { has(folder: string): boolean }): void {
    for (const folder of [...this.#watched.keys()]) if (!folders.has(folder)) this.#drop(folder);
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#drop(folder);
  }

  #watch(folder: string, path: string, ino: number): void {
    this.#drop(folder);
    if (this.#watched.size >= MAX_WATCHED) return;
    try {
      const watcher = watch(path, { persistent: false }, () => this.#notice(folder));
      watcher.on("error", () => this.#drop(folder));
      this.#watched.set(folder, { watcher, ino });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") return;
      // No more of them are to be had, or none at all here.
      this.#isUseless = true;
      this.close();
    }
  }

  #notice(folder: string): void {
    this.#notices += 1;
    this.#untouched.delete(folder);
  }

  #drop(folder: string): void {
    this.#untouched.delete(folder);
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }
}
