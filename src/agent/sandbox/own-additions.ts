import type { Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isGone, lookAt } from "./look-at.ts";

/** A path with what tells whether it was changed. */
type Marks = ReadonlyMap<string, string>;

/**
 * What the person added of things that are acted upon while commands were there but did nothing:
 * between two looks none of their processes ran, so what is new is not theirs. What a command could
 * have changed since is no longer the person's.
 */
export class OwnAdditions {
  readonly #work: () => string | undefined;
  #own = new Map<string, string>();
  #seen: Marks = new Map();
  #workBefore: string | undefined;

  /** `work` tells what commands have done so far; see `workOfCommands`. */
  constructor(work: () => string | undefined) {
    this.#work = work;
  }

  /** No command is there: all that is there was there before. */
  async begin(paths: readonly string[]): Promise<void> {
    this.#workBefore = undefined;
    this.#own = new Map();
    this.#seen = await marksOf(paths);
  }

  /** Looks again: `find` tells what is there. */
  async look<Things>(
    find: () => Promise<{ readonly things: Things; readonly paths: readonly string[] }>,
  ): Promise<Things> {
    const began = this.#work();
    const { things, paths } = await find();
    const marks = await marksOf(paths);
    const nobodyWorked = this.#workBefore !== undefined && this.#workBefore === this.#work();
    const own = [...marks].filter(([path, mark]) =>
      this.#own.has(path)
        ? nobodyWorked || this.#own.get(path) === mark
        : nobodyWorked && !this.#seen.has(path),
    );
    this.#own = new Map(own);
    this.#seen = marks;
    this.#workBefore = began;
    return things;
  }

  has(path: string): boolean {
    return this.#own.has(path);
  }
}

async function marksOf(paths: readonly string[]): Promise<Marks> {
  const marks = await Promise.all(paths.map(async (path) => [path, await markOf(path)] as const));
  return new Map(marks.filter(([, mark]) => mark !== ""));
}

/** Empty for what is gone; of a folder what is in it counts, too. */
async function markOf(path: string): Promise<string> {
  const info = await lookAt(path);
  if (info === undefined) return "";
  if (!info.isDirectory()) return stateOf(info);
  const names = await readdir(path).catch((error: unknown) => {
    if (isGone(error) || (error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  });
  const inside = await Promise.all(
    names.sort().map(async (name) => `${name} ${await markOf(join(path, name))}`),
  );
  return [stateOf(info), ...inside].join("\n");
}

function stateOf({ ino, ctimeMs, size }: Stats): string {
  return `${ino} ${ctimeMs} ${size}`;
}
