import type { Memory } from "../memory.ts";
import type { NotedItem } from "../recall-log/noted-recall.ts";
import type { RecallWay } from "../recall-log/recall-log.table.ts";
import type { Told } from "./block.ts";

export class LeftOut {
  readonly #items: NotedItem[] = [];

  take({ id, why }: Told): [] {
    this.#items.push({ id, score: why?.score, isCut: true });
    return [];
  }

  beside(told: readonly Pick<Told, "id">[]): readonly NotedItem[] {
    const ids = new Set(told.map(({ id }) => id));
    return this.#items.filter(({ id }) => !ids.has(id));
  }
}

interface ToldThen {
  readonly way: Extract<RecallWay, "prompt" | "moment">;
  /** The source record of this session. */
  readonly ownSource: { readonly kind: string; readonly key: string } | undefined;
  readonly question: string;
  readonly reminders: readonly Pick<Told, "id" | "why">[];
  readonly left: LeftOut;
}

export function recordShown(
  memory: Memory,
  { way, ownSource, question, reminders, left }: ToldThen,
): void {
  memory.noteRecall?.({
    ...{ way, question },
    client: ownSource?.kind,
    session: ownSource?.key,
    items: [
      ...reminders.map(({ id, why }) => ({ id, score: why?.score })),
      ...left.beside(reminders),
    ],
  });
}
