/** Letters and digits alone: the same statement with other punctuation is the same. */
export function comparableText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
