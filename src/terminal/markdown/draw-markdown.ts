import { lexer, type Token, type Tokens } from "marked";
import type { Line, Span, Style } from "../text/style.ts";
import { lineWidth, wrapSpans, wrapText } from "../text/wrap.ts";
import { highlightLine } from "./highlight-code.ts";

function drawInline(tokens: readonly Token[] | undefined, style: Style = {}): readonly Span[] {
  return (tokens ?? []).flatMap((token) => drawToken(token, style));
}

function drawToken(token: Token, style: Style): readonly Span[] {
  switch (token.type) {
    case "strong":
      return drawInline(token.tokens, { ...style, bold: true });
    case "em":
      return drawInline(token.tokens, { ...style, italic: true });
    case "del":
      return drawInline(token.tokens, { ...style, strike: true });
    case "codespan":
      return [
        {
          text: unescapeEntities((token as Tokens.Codespan).text),
          style: { ...style, color: "cyan" },
        },
      ];
    case "br":
      return [{ text: "\n" }];
    case "link":
      return drawLink(token as Tokens.Link, style);
    case "image":
      return [{ text: `[image: ${token.text || token.href}]`, style: { ...style, color: "gray" } }];
    case "html":
      return [{ text: token.raw, style }];
    default: {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined
        ? [{ text: unescapeEntities(text), style }]
        : drawInline(tokens, style);
    }
  }
}

function drawLink(token: Tokens.Link, style: Style): readonly Span[] {
  const text = drawInline(token.tokens, { ...style, underline: true });
  const plainText = text.map((piece) => piece.text).join("");
  if (token.href === plainText || token.href === `mailto:${plainText}`) return text;
  return [...text, { text: ` (${token.href})`, style: { ...style, color: "gray" } }];
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

function unescapeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => HTML_ENTITIES[entity] ?? entity);
}

const COLUMN_GAP = "  ";
const MIN_COLUMN_WIDTH = 6;

/** Draws a table; falls back to a list per row if it is too narrow. */
function drawTable(table: Tokens.Table, width: number): readonly Line[] {
  const header = table.header.map((cell) => drawInline(cell.tokens, { bold: true }));
  const rows = table.rows.map((row) => row.map((cell) => drawInline(cell.tokens)));
  const preferredWidths = header.map((cell, column) =>
    Math.max(
      ...[cell, ...rows.map((row) => row[column] ?? [])].map((spans) => lineWidth(spans)),
      1,
    ),
  );
  const available = width - COLUMN_GAP.length * (header.length - 1);
  const widths = distributeColumns(preferredWidths, available);
  if (widths === undefined) return drawStacked(header, rows, width);
  const rule: Line = [
    {
      text: widths.map((columns) => "─".repeat(columns)).join(COLUMN_GAP),
      style: { color: "gray" },
    },
  ];
  const layout = { widths, align: table.align };
  return [...drawRow(header, layout), rule, ...rows.flatMap((row) => drawRow(row, layout))];
}

function distributeColumns(
  preferredWidths: readonly number[],
  available: number,
): readonly number[] | undefined {
  const widths = [...preferredWidths];
  let excess = widths.reduce((sum, columns) => sum + columns, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN_WIDTH) return undefined;
    const index = widths.indexOf(widest);
    const second = Math.max(MIN_COLUMN_WIDTH, ...widths.filter((_, other) => other !== index));
    const cut = Math.min(excess, Math.max(1, widest - second));
    widths[index] = widest - cut;
    excess -= cut;
  }
  return widths;
}

interface Layout {
  readonly widths: readonly number[];
  readonly align: Tokens.Table["align"];
}

function drawRow(cells: readonly (readonly Span[])[], { widths, align }: Layout): readonly Line[] {
  const columns = widths.map((width, index) => wrapSpans(cells[index] ?? [], { width }));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((lines, index) => {
      const line = lines[row] ?? [];
      const isLast = index === widths.length - 1;
      const spare = Math.max(0, (widths[index] ?? 0) - lineWidth(line));
      const padding = { right: spare, center: Math.floor(spare / 2), left: 0 }[
        align[index] ?? "left"
      ];
      const before = padding === 0 ? [] : [{ text: " ".repeat(padding) }];
      const after = isLast ? [] : [{ text: " ".repeat(spare - padding) + COLUMN_GAP }];
      return [...before, ...line, ...after];
    }),
  );
}

function drawStacked(
  header: readonly (readonly Span[])[],
  rows: readonly (readonly (readonly Span[])[])[],
  width: number,
): readonly Line[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, column) =>
      wrapSpans([...(header[column] ?? []), { text: ": " }, ...cell], {
        width,
        next: [{ text: "  " }],
      }),
    ),
  ]);
}

const GRAY_STYLE = { color: "gray" } as const;
const MAX_NESTING = 12;

/** Draws Markdown in rows of at most `width` columns. Requires text without control codes. */
export function drawMarkdown(text: string, width: number): readonly Line[] {
  return drawBlocks(parse(text), Math.max(8, width), 0);
}

function parse(text: string): readonly Token[] {
  try {
    return lexer(text);
  } catch {
    // Nested too deeply for the parser: fall back to plain text.
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
      return [[{ text: "─".repeat(Math.min(width, 24)), style: GRAY_STYLE }]];
    case "paragraph":
    case "text":
      return wrapSpans(inlineSpans(token), { width });
    default:
      return wrapText(token.raw.replace(/\n+$/, ""), { width });
  }
}

function inlineSpans(token: Token): readonly Span[] {
  const { tokens, text } = token as Tokens.Text;
  return tokens === undefined ? [{ text }] : drawInline(tokens);
}

const HEADING_STYLES: readonly Style[] = [
  { bold: true, underline: true },
  { bold: true, color: "cyan" },
  { bold: true },
  { bold: true, italic: true },
];

function drawHeading(token: Tokens.Heading, width: number): readonly Line[] {
  const style = HEADING_STYLES[Math.min(token.depth, HEADING_STYLES.length) - 1] ?? { bold: true };
  return wrapSpans(drawInline(token.tokens, style), { width });
}

function drawCode(token: Tokens.Code, width: number): readonly Line[] {
  const language = (token.lang ?? "").trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const draw = /^(?:diff|patch)$/.test(language) ? drawDiffLine : highlightLine;
  return token.text
    .split("\n")
    .flatMap((line) => wrapSpans(draw(line, language), { width, first: [{ text: "  " }] }));
}

function drawDiffLine(text: string): Line {
  if (text.startsWith("+")) return [{ text, style: { color: "green" } }];
  if (text.startsWith("-")) return [{ text, style: { color: "red" } }];
  return [{ text, style: text.startsWith("@@") ? { color: "cyan" } : {} }];
}

function drawList(list: Tokens.List, width: number, depth: number): readonly Line[] {
  const start = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const bullet = list.ordered ? `${start + index}. ` : "- ";
    const box = item.task ? (item.checked ? "☑ " : "☐ ") : "";
    const first: Span = { text: bullet + box, style: GRAY_STYLE };
    const indent = " ".repeat(bullet.length);
    const inner = Math.max(8, width - bullet.length - box.length);
    const tokens = item.tokens.filter((token) => token.type !== "checkbox");
    const body =
      depth >= MAX_NESTING
        ? wrapText(item.text, { width: inner })
        : drawBlocks(tokens, inner, depth + 1);
    const rows = body.length === 0 ? [[]] : body;
    return rows.map((line, row) => [row === 0 ? first : { text: indent }, ...line]);
  });
}

function drawQuote(quote: Tokens.Blockquote, width: number, depth: number): readonly Line[] {
  const body =
    depth >= MAX_NESTING
      ? wrapText(quote.text, { width: Math.max(8, width - 2) })
      : drawBlocks(quote.tokens, Math.max(8, width - 2), depth + 1);
  return body.map((line) => [{ text: "│ ", style: GRAY_STYLE }, ...line]);
}
