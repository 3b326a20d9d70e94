import { groupExists, killGroupNow } from "./kill-tree.ts";
import { ProcessScan } from "./process-scan.ts";

/**
 * Kills process groups at the moment when this process exits without having closed: one listener
 * for all of them, because every one more would be warned of.
 */
export class ExitGuard {
  /** What the tables of a host look for their processes with. */
  readonly scan = new ProcessScan();
  readonly #groups = new Set<number>();
  readonly #onExit = () => {
    for (const groupId of this.#groups) {
      if (groupExists(groupId)) killGroupNow(groupId);
    }
  };

  add(groupId: number): void {
    if (this.#groups.size === 0) process.on("exit", this.#onExit);
    this.#groups.add(groupId);
  }

  remove(groupId: number): void {
    this.#groups.delete(groupId);
    if (this.#groups.size === 0) process.off("exit", this.#onExit);
  }
}
