import type { Memory } from "../../memory/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import type { RememberedRange } from "./turn-record.ts";

export interface RememberedChangesOptions {
  readonly memory: Memory | undefined;
  readonly session: string;
}

export interface MemoryReport {
  /** Number of changes that were undone or redone. */
  readonly remembered: number;
  /** Reason why memory was not changed. */
  readonly memoryKept?: string;
  /** The change that an undo made, for `redo`. */
  readonly change?: string;
}

const NO_CHANGES: MemoryReport = { remembered: 0 };

export class RememberedChanges {
  readonly #options: RememberedChangesOptions;

  constructor(options: RememberedChangesOptions) {
    this.#options = options;
  }

  /** The newest change; change:0 before the first. Undefined if memory cannot be read. */
  async newest(): Promise<string | undefined> {
    const { memory } = this.#options;
    if (memory === undefined) return undefined;
    try {
      const { changes } = await memory.execute("changes", { limit: 1 });
      return changes[0]?.id ?? "change:0";
    } catch {
      // Expected: the first call that needs memory reports the error.
      return undefined;
    }
  }

  async since(after: string | undefined): Promise<RememberedRange | undefined> {
    const until = after === undefined ? undefined : await this.newest();
    if (after === undefined || until === undefined) return undefined;
    const count = (await this.#inForce({ after, until })).length;
    return count === 0 ? undefined : { after, until, count };
  }

  /** Reverts all changes of the range as one change, or none. */
  async undo(range: Omit<RememberedRange, "count">): Promise<MemoryReport> {
    const { memory, session } = this.#options;
    if (memory === undefined) return NO_CHANGES;
    return this.#reportFailure(async () => {
      if ((await this.#inForce(range)).length === 0) return NO_CHANGES;
      const { after: since, until } = range;
      const by = { surface: "agent", session } as const;
      const undone = await memory.execute("undo", { since, until, session }, by);
      return {
        remembered: undone.undo_of.length,
        ...(undone.id !== null && { change: undone.id }),
      };
    });
  }

  async redo(change: string): Promise<MemoryReport> {
    const { memory, session } = this.#options;
    if (memory === undefined) return NO_CHANGES;
    return this.#reportFailure(async () => {
      const [undone] = (await memory.execute("changes", { before: changeAfter(change), limit: 1 }))
        .changes;
      await memory.execute("redo", { change }, { surface: "agent", session });
      return { remembered: undone?.undo_of.length ?? 0 };
    });
  }

  async #inForce({ after: since, until }: { after: string; until: string }) {
    const { memory, session } = this.#options;
    if (memory === undefined) return [];
    const { changes } = await memory.execute("changes", {
      session,
      ...(parseNumber(since) > 0 && { after: since }),
      before: changeAfter(until),
      limit: 100,
    });
    // An undo of a change within the range cancels it.
    const isOwn = ({ undo_of: of }: { undo_of: readonly string[] }) =>
      of.length === 0 || of.some((id) => parseNumber(id) <= parseNumber(since));
    return changes.filter((one) => one.undone_by === null && isOwn(one));
  }

  /** Files are restored even if memory fails. */
  async #reportFailure(work: () => Promise<MemoryReport>): Promise<MemoryReport> {
    try {
      return await work();
    } catch (error) {
      if (!isCairnError(error)) throw error;
      return { remembered: 0, memoryKept: error.message };
    }
  }
}

const parseNumber = (change: string): number => Number(change.slice("change:".length));
const changeAfter = (change: string): string => `change:${parseNumber(change) + 1}`;
