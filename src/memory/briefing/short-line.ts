import { shorten } from "../../kernel/shorten.ts";
import { stripControlLine } from "../../kernel/strip-control.ts";

/** One line, cut where more would crowd out other items; without anything that ends the block. */
export function shortLine(text: string, most = 280): string {
  const line = stripControlLine(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<\/?cairn-memory/gi, "cairn-memory")
    .trim();
  return shorten(line, most);
}
