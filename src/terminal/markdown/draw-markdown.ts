import { lexer, type Token, type Tokens } from "marked";
import type { Line, Span, Style } from "../text/style.ts";
import { wrapSpans, wrapText } from "../text/wrap.ts";
import { drawInline } from "./draw-inline.ts";
import { drawTable } from "./draw-table.ts";
import { highlightLine } from "./highlight-code.ts";

const GRAY = { color: "gray" } as const;
const DEEPEST_NESTING = 12;

/** Rows of a markdown text, each at most `width` columns wide. Takes text without control codes. */
export function drawMarkdown(text: string, width: number): readonly Line[] {
  return drawBlocks(parse(text), Math.max(8, width), 0);
}

function parse(text: string): readonly Token[] {
  try {
    return lexer(text);
  } catch {
    // Nested too deeply for the parser's stack: the words matter more than their layout.
    return [{ type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text }] }];
  }
}

function drawBlocks(tokens: readonly Token[], width: number, depth: number): readonly Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    if (token.type === "space" || token.type === "def") continue;
    const block = drawBlock(token, width, depth);
    const joins = token.type === "text" || (depth > 0 && token.type === "list");
    if (lines.length > 0 && !joins) lines.push([]);
    lines.push(...block);
  }
  return lines;
}

function drawBlock(token: Token, width: number, depth: number): readonly Line[] {
  switch (token.type) {
    case "heading":
      return drawHeading(token as Tokens.Heading, width);
    case "code":
      return drawCode(token as Tokens.Code, width);
    case "list":
      return drawList(token as Tokens.List, width, depth);
    case "blockquote":
      return drawQuote(token as Tokens.Blockquote, width, depth);
    case "table":
      return drawTable(token as Tokens.Table, width);
    case "hr":
      return [[{ text: "─".repeat(Math.min(width, 24)), style: GRAY }]];
    case "paragraph":
    case "text":
      return wrapSpans(inlineOf(token), { width });
    default:
      return wrapText(token.raw.replace(/\n+$/, ""), { width });
  }
}

function inlineOf(token: Token): readonly Span[] {
  const { tokens, text } = token as Tokens.Text;
  return tokens === undefined ? [{ text }] : drawInline(tokens);
}

/** By depth: told apart without marks, and without colours too. */
const HEADINGS: readonly Style[] = [
  { bold: true, underline: true },
  { bold: true, color: "cyan" },
  { bold: true },
  { bold: true, italic: true },
];

function drawHeading(token: Tokens.Heading, width: number): readonly Line[] {
  const style = HEADINGS[Math.min(token.depth, HEADINGS.length) - 1] ?? { bold: true };
  return wrapSpans(drawInline(token.tokens, style), { width });
}

function drawCode(token: Tokens.Code, width: number): readonly Line[] {
  const language = (token.lang ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const draw = /^(?:diff|patch)$/.test(language) ? diffLine : highlightLine;
  return token.text
    .split("\n")
    .flatMap((line) => wrapSpans(draw(line, language), { width, first: [{ text: "  " }] }));
}

function diffLine(text: string): Line {
  if (text.startsWith("+")) return [{ text, style: { color: "green" } }];
  if (text.startsWith("-")) return [{ text, style: { color: "red" } }];
  return [{ text, style: text.startsWith("@@") ? { color: "cyan" } : {} }];
}

function drawList(list: Tokens.List, width: number, depth: number): readonly Line[] {
  const start = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const bullet = list.ordered ? `${start + index}. ` : "- ";
    const box = item.task ? (item.checked ? "☑ " : "☐ ") : "";
    const first: Span = { text: bullet + box, style: GRAY };
    const indent = " ".repeat(bullet.length);
    const inner = Math.max(8, width - bullet.length - box.length);
    const shown = item.tokens.filter((token) => token.type !== "checkbox");
    const body =
      depth >= DEEPEST_NESTING
        ? wrapText(item.text, { width: inner })
        : drawBlocks(shown, inner, depth + 1);
    const rows = body.length === 0 ? [[]] : body;
    return rows.map((line, row) => [row === 0 ? first : { text: indent }, ...line]);
  });
}

function drawQuote(quote: Tokens.Blockquote, width: number, depth: number): readonly Line[] {
  const body =
    depth >= DEEPEST_NESTING
      ? wrapText(quote.text, { width: Math.max(8, width - 2) })
      : drawBlocks(quote.tokens, Math.max(8, width - 2), depth + 1);
  return body.map((line) => [{ text: "│ ", style: GRAY }, ...line]);
}
