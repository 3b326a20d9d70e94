import type { InputOf, Memory, OutputOf } from "../../memory/index.ts";

export type ExportedItem = OutputOf<"items">["items"][number];
export type ExportedConflict = OutputOf<"list_conflicts">["conflicts"][number];
export type ExportFilter = Omit<
  InputOf<"items">,
  "kinds" | "sort" | "limit" | "cursor" | "count" | "facets" | "facet_limit"
>;
type Kind = ExportedItem["kind"];

const PAGE = 500;

/** A memory as exporters read it: page by page, with complete texts. */
export class ExportedMemory {
  readonly #memory: Memory;
  readonly #filter: ExportFilter;

  /** `filter` limits what is exported, as in `items`. */
  constructor(memory: Memory, filter: ExportFilter = {}) {
    this.#memory = memory;
    this.#filter = filter;
  }

  /** Active items of a kind, ordered by when they happened. */
  async *items(
    kind: Kind,
    sort: "oldest" | "newest",
    filter: { readonly type?: string } = {},
  ): AsyncGenerator<ExportedItem> {
    const types = this.#filter.type === undefined ? undefined : [this.#filter.type].flat();
    if (filter.type !== undefined && types?.includes(filter.type) === false) return;
    let cursor: string | null = null;
    do {
      const page: OutputOf<"items"> = await this.#memory.execute("items", {
        kinds: [kind],
        sort,
        limit: PAGE,
        ...this.#filter,
        ...filter,
        ...(cursor !== null && { cursor }),
      });
      for (const item of page.items) yield item.cut ? await this.#whole(item) : item;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  async openConflicts(): Promise<readonly ExportedConflict[]> {
    const { type: _, ...filter } = this.#filter;
    return (await this.#memory.execute("list_conflicts", { ...filter, status: "open" })).conflicts;
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
