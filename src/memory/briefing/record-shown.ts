import type { Memory } from "../memory.ts";
import type { LoggedItem } from "../recall-log/logged-recall.ts";
import type { RecallWay } from "../recall-log/recall-log.table.ts";
import type { ContextItem } from "./block.ts";

export class OmittedItems {
  readonly #items: LoggedItem[] = [];

  take({ id, why }: ContextItem): [] {
    this.#items.push({ id, score: why?.score, isCut: true });
    return [];
  }

  excluding(reported: readonly Pick<ContextItem, "id">[]): readonly LoggedItem[] {
    const ids = new Set(reported.map(({ id }) => id));
    return this.#items.filter(({ id }) => !ids.has(id));
  }
}

interface ShownContext {
  readonly way: Extract<RecallWay, "prompt" | "moment">;
  /** The source record of this session. */
  readonly ownSource: { readonly kind: string; readonly key: string } | undefined;
  readonly question: string;
  readonly reminders: readonly Pick<ContextItem, "id" | "why">[];
  readonly left: OmittedItems;
}

export function recordShown(
  memory: Memory,
  { way, ownSource, question, reminders, left }: ShownContext,
): void {
  memory.noteRecall?.({
    ...{ way, question },
    client: ownSource?.kind,
    session: ownSource?.key,
    items: [
      ...reminders.map(({ id, why }) => ({ id, score: why?.score })),
      ...left.excluding(reminders),
    ],
  });
}
