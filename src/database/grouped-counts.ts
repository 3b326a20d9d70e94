import { groupBy } from "../shared/collections.ts";
import type { Added, Addition, SharedCounts } from "../shared/shared-counts.ts";

interface Waiting {
  readonly addition: Addition;
  readonly resolve: (added: Added) => void;
  readonly reject: (error: unknown) => void;
}

interface Full {
  readonly period: number;
  readonly count: number;
}

export class GroupedCounts implements SharedCounts {
  readonly #inner: SharedCounts;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #full = new Map<string, Full>();

  constructor(inner: SharedCounts) {
    this.#inner = inner;
  }

  add(addition: Addition): Promise<Added> {
    const { key, period, most } = addition;
    const full = this.#full.get(key);
    if (full !== undefined && full.period === period && full.count >= most) {
      return Promise.resolve({ isAdded: false, before: full.count });
    }
    return new Promise((resolve, reject) => {
      const one = { addition, resolve, reject };
      const others = this.#waiting.get(key);
      if (others !== undefined) others.push(one);
      else {
        this.#waiting.set(key, [one]);
        void this.#send(key);
      }
    });
  }

  async #send(key: string): Promise<void> {
    for (;;) {
      const group = this.#waiting.get(key) ?? [];
      if (group.length === 0) break;
      this.#waiting.set(key, []);
      const alike = groupBy(group, ({ addition: { period, most } }) => `${period} ${most}`);
      for (const some of alike.values()) await this.#addAll(some);
    }
    this.#waiting.delete(key);
  }

  async #addAll(some: readonly Waiting[]): Promise<void> {
    let left = some;
    try {
      for (let [first] = left; first !== undefined; [first] = left) {
        const { key, period, most } = first.addition;
        const total = left.reduce((sum, { addition }) => sum + addition.added, 0);
        const { isAdded, before } = await this.#inner.add({ ...first.addition, added: total });
        const count = isAdded ? before + total : before;
        if (count >= most) this.#full.set(key, { period, count });
        left = settle(left, { room: isAdded ? total : most - before, before, isAdded });
      }
    } catch (error) {
      for (const { reject } of left) reject(error);
    }
  }
}

/** Answers requests that do not fit, or all if they were added. Returns the remaining ones. */
function settle(
  some: readonly Waiting[],
  { room, before, isAdded }: { room: number; before: number; isAdded: boolean },
): Waiting[] {
  const fitting: Waiting[] = [];
  let used = 0;
  for (const one of some) {
    const { added } = one.addition;
    if (used + added > room) one.resolve({ isAdded: false, before: before + used });
    else {
      if (isAdded) one.resolve({ isAdded: true, before: before + used });
      else fitting.push(one);
      used += added;
    }
  }
  return fitting;
}
