import { Lexer, type Token, type Tokens } from "marked";

/** A paragraph, bullet or other Markdown block with its headings. */
export interface MarkdownBlock {
  readonly kind: "bullet" | "paragraph" | "other";
  /** Without the list marker. */
  readonly text: string;
  /** Outermost first. */
  readonly headings: readonly string[];
}

/** Splits Markdown into blocks in order. Nested bullets yield one block per innermost bullet. */
export function parseMarkdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const headings: string[] = [];
  for (const token of parseTokens(text)) {
    if (token.type === "heading") {
      headings.length = Math.min(headings.length, (token as Tokens.Heading).depth - 1);
      headings.push(token.text.trim());
    } else {
      blocks.push(...splitBlocks(token, [...headings]));
    }
  }
  return blocks.filter((block) => block.text !== "");
}

const TOO_DEEPLY_NESTED =
  /^(?:(?:[ \t]{0,8}(?:>|[-*+]|\d{1,9}[.)])[ \t]?){30}|[ \t]{60,}(?:[-*+]|\d{1,9}[.)])[ \t])/m;

function parseTokens(text: string): readonly Token[] {
  const lines = text.replaceAll(/\r\n?/g, "\n");
  if (!TOO_DEEPLY_NESTED.test(lines)) return new Lexer().blockTokens(lines);
  return lines.split(/\n{2,}/).map((raw) => ({ type: "text", raw, text: raw }));
}

function splitBlocks(token: Token, headings: readonly string[]): MarkdownBlock[] {
  switch (token.type) {
    case "space":
    case "hr":
    case "html":
      return [];
    case "list":
      return (token as Tokens.List).items.flatMap((item) => splitBullets(item, headings));
    case "paragraph":
      return [{ kind: "paragraph", text: token.raw.trim(), headings }];
    default:
      return [{ kind: "other", text: token.raw.trim(), headings }];
  }
}

function splitBullets(item: Tokens.ListItem, headings: readonly string[]): MarkdownBlock[] {
  const nested = item.tokens.filter((token): token is Tokens.List => token.type === "list");
  const own = item.tokens
    .filter((token) => token.type !== "list")
    .map((token) => token.raw.trim())
    .filter((text) => text !== "")
    .join("\n");
  if (nested.length === 0) return [{ kind: "bullet", text: own, headings }];
  return nested
    .flatMap((list) => list.items)
    .flatMap((inner) => splitBullets(inner, headings))
    .map((block) => ({ ...block, text: own === "" ? block.text : `${own} ${block.text}` }));
}

/** Returns unique names from `[[name]]`, `[[name#section]]` and `[[name|label]]`. */
export function findLinkedNames(text: string): string[] {
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,500})(?:[|#][^\][\n]{0,500})?\]\]/g)];
  return [...new Set(names.map(([, name = ""]) => name.trim()))].filter((name) => name !== "");
}
