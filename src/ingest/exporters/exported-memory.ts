import type { InputOf, Memory, OutputOf } from "../../memory/index.ts";
import { shorten, stripControl } from "../../shared/text.ts";

export type ExportedItem = OutputOf<"items">["items"][number];
export type ExportedConflict = OutputOf<"list_conflicts">["conflicts"][number];
export type ExportFilter = Omit<
  InputOf<"items">,
  "kinds" | "sort" | "limit" | "cursor" | "count" | "facets" | "facet_limit"
>;
type Kind = ExportedItem["kind"];

const PAGE_SIZE = 500;

export class ExportedMemory {
  readonly #memory: Memory;
  readonly #filter: ExportFilter;

  constructor(memory: Memory, filter: ExportFilter = {}) {
    this.#memory = memory;
    this.#filter = filter;
  }

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
        limit: PAGE_SIZE,
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

export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}

export interface ExportOptions {
  readonly database: string;
  readonly now: Date;
  /** Maximum entries per part, for formats that export a selection. */
  readonly limit: number;
}

/**
 * Exports a memory for people and other tools. `cairn export` writes the format that cairn can
 * import.
 */
export interface Exporter {
  readonly name: string;
  readonly summary: string;
  /**
   * `files`: a folder of files, or all of them concatenated. `section`: part of a file whose other
   * content is preserved.
   */
  readonly form: "files" | "section";
  /** Yields files in the order in which they are concatenated. */
  write(memory: ExportedMemory, options: ExportOptions): AsyncIterable<ExportedFile>;
}

export function toMarkdownLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = withoutComments(stripControl(text)).replace(/\s+/g, " ").trim();
  return shorten(line, limit);
}

/** Formats a list item; indents continuation lines. */
export function toMarkdownEntry(text: string): string {
  const lines = withoutComments(stripControl(text)).trim().split("\n");
  return lines.map((line, index) => (index === 0 || line === "" ? line : `  ${line}`)).join("\n");
}

function withoutComments(text: string): string {
  return text.replaceAll("<!--", "&lt;!--").replaceAll("-->", "--&gt;");
}

/** Makes a file name of at most 60 letters, digits and hyphens. */
export function createFileName(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return Array.from(slug).slice(0, 60).join("").replace(/-+$/, "");
}

export function formatDay(timestamp: string): string {
  return timestamp.slice(0, 10);
}
