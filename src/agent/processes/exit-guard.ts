import { type CommandLimits, commandLimits } from "./command-limits.ts";
import { groupExists, killGroupNow } from "./kill-tree.ts";
import { LimitWatch } from "./limit-watch.ts";
import { ProcessScan } from "./process-scan.ts";

/**
 * Kills process groups at the moment when this process exits without having closed: one listener
 * for all of them, because every one more would be warned of.
 */
export class ExitGuard {
  readonly scan = new ProcessScan();
  readonly limits: CommandLimits;
  readonly watch: LimitWatch;
  readonly #groups = new Set<number>();
  readonly #onExit = () => {
    for (const groupId of this.#groups) {
      if (groupExists(groupId)) killGroupNow(groupId);
    }
  };

  constructor(limits = commandLimits()) {
    this.limits = limits;
    this.watch = new LimitWatch(this.scan, limits);
  }

  add(groupId: number): void {
    if (this.#groups.size === 0) process.on("exit", this.#onExit);
    this.#groups.add(groupId);
  }

  remove(groupId: number): void {
    this.#groups.delete(groupId);
    if (this.#groups.size === 0) process.off("exit", this.#onExit);
  }
}
