import { type Signal, signal } from "@preact/signals";
import type { SubagentNews } from "./entry.ts";
import { EntryList } from "./entry-list.ts";

/** Work that was handed on, as a thread within the thread. */
export interface Subagent {
  readonly id: string;
  readonly list: EntryList;
  readonly news: Signal<SubagentNews>;
}

/** The subagents of a thread, in the order in which they began. */
export class Subagents {
  readonly all: Signal<readonly Subagent[]> = signal([]);

  find(id: string | undefined): Subagent | undefined {
    return this.all.peek().find((one) => one.id === id);
  }

  take(news: SubagentNews): Subagent | undefined {
    const known = this.find(news.id);
    if (known === undefined) {
      const begun = { id: news.id, list: new EntryList(), news: signal(news) };
      this.all.value = [...this.all.peek(), begun];
      return begun;
    }
    known.news.value = news;
    if (news.state !== "running") known.list.close();
    return undefined;
  }

  clear(): void {
    this.all.value = [];
  }
}
