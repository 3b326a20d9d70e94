import type { Memory } from "../../memory/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import type { RememberedRange } from "./turn-record.ts";

export interface RememberedChangesOptions {
  /** Undefined: nothing is remembered. */
  readonly memory: Memory | undefined;
  /** Session of what the thread remembers. */
  readonly session: string;
}

export interface MemoryReport {
  /** Changes of memory that were taken back or brought again. */
  readonly remembered: number;
  /** Why they stay as they are. */
  readonly memoryKept?: string;
  /** The change that an undo was; `redo` takes it. */
  readonly change?: string;
}

const NOTHING: MemoryReport = { remembered: 0 };

/** The changes of memory that belong to one thread, as its turns take them back. */
export class RememberedChanges {
  readonly #options: RememberedChangesOptions;

  constructor(options: RememberedChangesOptions) {
    this.#options = options;
  }

  /** The newest change of all; change:0 before the first. Undefined when memory cannot be read. */
  async newest(): Promise<string | undefined> {
    const { memory } = this.#options;
    if (memory === undefined) return undefined;
    try {
      const { changes } = await memory.execute("changes", { limit: 1 });
      return changes[0]?.id ?? "change:0";
    } catch {
      // The turn goes on; the first call that needs memory says what is wrong with it.
      return undefined;
    }
  }

  /** What the session wrote after a change; undefined when that is nothing. */
  async since(after: string | undefined): Promise<RememberedRange | undefined> {
    const until = after === undefined ? undefined : await this.newest();
    if (after === undefined || until === undefined) return undefined;
    const count = (await this.#inForce({ after, until })).length;
    return count === 0 ? undefined : { after, until, count };
  }

  /** One change takes back all of them, or none with the reason. */
  async undo(range: Omit<RememberedRange, "count">): Promise<MemoryReport> {
    const { memory, session } = this.#options;
    if (memory === undefined) return NOTHING;
    return this.#orKept(async () => {
      if ((await this.#inForce(range)).length === 0) return NOTHING;
      const { after: since, until } = range;
      const by = { surface: "agent", session } as const;
      const undone = await memory.execute("undo", { since, until, session }, by);
      return {
        remembered: undone.undo_of.length,
        ...(undone.id !== null && { change: undone.id }),
      };
    });
  }

  /** Brings back what an undo took. */
  async redo(change: string): Promise<MemoryReport> {
    const { memory, session } = this.#options;
    if (memory === undefined) return NOTHING;
    return this.#orKept(async () => {
      const [undone] = (await memory.execute("changes", { before: after(change), limit: 1 }))
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
      ...(numberOf(since) > 0 && { after: since }),
      before: after(until),
      limit: 100,
    });
    // An undo of what is within the range cancels with it.
    const isOwn = ({ undo_of: of }: { undo_of: readonly string[] }) =>
      of.length === 0 || of.some((id) => numberOf(id) <= numberOf(since));
    return changes.filter((one) => one.undone_by === null && isOwn(one));
  }

  /** Files come back whatever becomes of memory. */
  async #orKept(work: () => Promise<MemoryReport>): Promise<MemoryReport> {
    try {
      return await work();
    } catch (error) {
      if (!isCairnError(error)) throw error;
      return { remembered: 0, memoryKept: error.message };
    }
  }
}

const numberOf = (change: string): number => Number(change.slice("change:".length));
const after = (change: string): string => `change:${numberOf(change) + 1}`;
