import type { MemoryItem } from "./memory-item.ts";

const WORDS_CHARS = 48;

/** The file of an item that no file has yet: one each, so that two people who add one do not collide. */
export function fileNameOf({ type, content, id }: MemoryItem): string {
  const words = content
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, WORDS_CHARS)
    .replaceAll(/^-+|-+$/g, "");
  const kind = type.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return [kind, ...(words === "" ? [] : [words]), id].join("-").concat(".md");
}
