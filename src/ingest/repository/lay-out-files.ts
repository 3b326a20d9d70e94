import { type FileChange, MEMORY_FOLDER, type MemoryFile } from "./memory-folder.ts";
import type { MemoryItem } from "./memory-item.ts";
import type { Section } from "./read-text.ts";
import { writeText } from "./write-text.ts";

const WORDS_CHARS = 48;

/** The file of an item that no file has yet: one each, so that two people who add one do not collide. */
function fileNameOf({ type, content, id }: MemoryItem): string {
  const words = content
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, WORDS_CHARS)
    .replaceAll(/^-+|-+$/g, "");
  const kind = type.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return [kind, ...(words === "" ? [] : [words]), id].join("-").concat(".md");
}

export interface LayOut {
  readonly items: ReadonlyMap<string, MemoryItem>;
  /** The id that a section of a file has, or got. */
  readonly idOf: (section: Section) => string;
  readonly isLeft: (section: Section) => boolean;
}

export function layOutFiles(
  files: readonly MemoryFile[],
  { items, idOf, isLeft }: LayOut,
): FileChange[] {
  const placed = new Set<string>();
  const changes = files.flatMap(({ path, text, preamble, sections }): FileChange[] => {
    const kept = sections.flatMap((section): MemoryItem[] => {
      const id = idOf(section);
      if (placed.has(id)) return [];
      const item = isLeft(section) ? { ...section.item, id } : items.get(id);
      if (item === undefined) return [];
      placed.add(id);
      return [item];
    });
    if (kept.length === 0 && sections.length > 0 && preamble === "")
      return [{ path, text: undefined }];
    // A file without items is somebody's own page: not a letter of it changes.
    if (sections.length === 0) return [];
    const written = writeText(preamble, kept);
    return written === text.replaceAll("\r\n", "\n") ? [] : [{ path, text: written }];
  });
  const taken = new Set(files.map(({ path }) => path));
  for (const [id, item] of items) {
    if (placed.has(id)) continue;
    const path = `${MEMORY_FOLDER}/${fileNameOf(item)}`;
    const free = taken.has(path) ? path.replace(/\.md$/, `-${taken.size}.md`) : path;
    changes.push({ path: free, text: writeText("", [item]) });
  }
  return changes;
}
