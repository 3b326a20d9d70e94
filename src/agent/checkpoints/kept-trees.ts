import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomIds } from "../../shared/ids.ts";
import { parseTree, writeTree } from "./tree-index.ts";
import type { TreeState } from "./tree-state.ts";

export class TreeCache {
  readonly #folder: string;
  #last: { readonly name: string; readonly state: TreeState } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the name by which `read` finds it. */
  keep(state: TreeState): string {
    if (this.#last !== undefined && isSame(this.#last.state, state)) return this.#last.name;
    const name = randomIds.next("tree_");
    writeTree(this.#pathOf(name), state);
    this.#last = { name, state };
    return name;
  }

  /** Undefined when it is gone or broken. */
  read(name: string): TreeState | undefined {
    try {
      return parseTree(readFileSync(this.#pathOf(name), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** Drops all others; returns those, or undefined when one of them cannot be read. */
  keepOnly(names: ReadonlySet<string>): readonly TreeState[] | undefined {
    if (!existsSync(this.#folder)) return [];
    this.#last = undefined;
    for (const file of readdirSync(this.#folder)) {
      if (!names.has(file.replace(/\.json$/, "")))
        rmSync(join(this.#folder, file), { force: true });
    }
    const states = [...names].map((name) => this.read(name));
    return states.every((state) => state !== undefined) ? states : undefined;
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

function isSame(one: TreeState, other: TreeState): boolean {
  return (
    one.folders.size === other.folders.size &&
    one.unseen.size === other.unseen.size &&
    [...one.folders].every(([path, folder]) => other.folders.get(path) === folder) &&
    [...one.unseen].every(([path, sign]) => other.unseen.get(path) === sign)
  );
}
