import type { Memory, OutputOf } from "../memory/index.ts";

export type ExportedItem = OutputOf<"items">["items"][number];
export type ExportedConflict = OutputOf<"list_conflicts">["conflicts"][number];
type Kind = ExportedItem["kind"];

const PAGE = 500;

/** A memory as exporters read it: by pages, texts whole. */
export class ExportedMemory {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Active items of a kind, by when they happened. */
  async *items(
    kind: Kind,
    sort: "oldest" | "newest",
    filter: { readonly type?: string } = {},
  ): AsyncGenerator<ExportedItem> {
    let cursor: string | null = null;
    do {
      const page: OutputOf<"items"> = await this.#memory.execute("items", {
        kinds: [kind],
        sort,
        limit: PAGE,
        ...filter,
        ...(cursor !== null && { cursor }),
      });
      for (const item of page.items) yield item.cut ? await this.#whole(item) : item;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  async openConflicts(): Promise<readonly ExportedConflict[]> {
    return (await this.#memory.execute("list_conflicts", { status: "open" })).conflicts;
  }

  async relationsOf(conceptId: string): Promise<readonly { type: string; target_id: string }[]> {
    return (await this.#memory.execute("get_concept", { concept_id: conceptId })).relations;
  }

  async #whole(item: ExportedItem): Promise<ExportedItem> {
    if (item.kind === "concept") {
      const { summary } = await this.#memory.execute("get_concept", { concept_id: item.id });
      return { ...item, text: summary, cut: false };
    }
    const id = item.kind === "fact" ? item.episode_id : item.id;
    if (id === null || item.kind === "entity") return item;
    const { content } = await this.#memory.execute("get_episode", { episode_id: id });
    return { ...item, text: content, cut: false };
  }
}
