const MAX_CHARS = 80;

/** Lower-case letters and digits of any script, joined by single hyphens; "" if there are none. */
export function topicSlug(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MAX_CHARS)
    .replace(/^-+|-+$/g, "");
}
