import type { Token, Tokens } from "marked";
import type { Span, Style } from "../text/style.ts";

/** Text inside a paragraph, heading or cell, as styled pieces. */
export function drawInline(
  tokens: readonly Token[] | undefined,
  style: Style = {},
): readonly Span[] {
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

/** The address is shown, so that nobody opens something else than what they read. */
function drawLink(token: Tokens.Link, style: Style): readonly Span[] {
  const text = drawInline(token.tokens, { ...style, underline: true });
  const shown = text.map((piece) => piece.text).join("");
  if (token.href === shown || token.href === `mailto:${shown}`) return text;
  return [...text, { text: ` (${token.href})`, style: { ...style, color: "gray" } }];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

function unescapeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
