import { Readability } from "@mozilla/readability";
import { type PageDocument, type PageElement, parseHTML } from "linkedom";
import TurndownService from "turndown";

/** Relative addresses are resolved against `base`. */
function htmlToMarkdown(root: PageElement, base: string): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    blankReplacement: (_text, { nodeName, isBlock }) =>
      CELL_TAGS.includes(nodeName.toLowerCase()) ? " |" : isBlock ? "\n\n" : "",
  });
  // Models read names such as `a_b` better without escapes.
  service.escape = (text) => text;
  service.addRule("link", {
    filter: "a",
    replacement: (text, element) => formatLink(text, element.getAttribute("href"), base),
  });
  service.addRule("picture", {
    filter: "img",
    replacement: (_text, element) => {
      const about = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
      return about === "" ? "" : `[image: ${about}]`;
    },
  });
  service.addRule("item", { filter: "li", replacement: formatListItem });
  service.addRule("cell", { filter: CELL_TAGS, replacement: (text) => ` ${toOneLine(text)} |` });
  service.addRule("row", { filter: "tr", replacement: formatRow });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (text) => text });
  service.addRule("table", { filter: "table", replacement: (text) => `\n\n${text.trim()}\n\n` });
  return service
    .turndown(root)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const CELL_TAGS = ["td", "th"];

function formatLink(text: string, href: string | null, base: string): string {
  const label = text.trim();
  const leads = href !== null && !href.startsWith("#") && URL.canParse(href, base);
  if (label === "" || !leads) return label;
  const target = new URL(href, base);
  return /^https?:$/.test(target.protocol) ? `[${label}](${target.href})` : label;
}

function formatListItem(text: string, element: PageElement): string {
  const list = element.parentElement;
  const isOrdered = list?.nodeName.toLowerCase() === "ol";
  const first = Number(list?.getAttribute("start") ?? 1);
  const before = [...(list?.children ?? [])].indexOf(element);
  const bullet = isOrdered ? `${first + before}. ` : "- ";
  const indented = text.trim().replace(/\n(?=[^\n])/g, `\n${" ".repeat(bullet.length)}`);
  return `${bullet}${indented}\n`;
}

function formatRow(text: string, element: PageElement): string {
  const isFirst = element.closest("table")?.querySelector("tr") === element;
  const rule = isFirst ? `\n|${" --- |".repeat([...element.children].length)}` : "";
  return `\n|${text}${rule}`;
}

function toOneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

export interface HtmlPage {
  readonly html: string;
  readonly url: string;
}

export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
}

const NON_CONTENT_SELECTOR =
  "script, style, noscript, template, svg, canvas, iframe, object, embed, button, input, select, textarea, dialog, nav, footer, aside, [hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search]";
const CONTENT_SELECTORS = ["main, [role=main]", "article"];
/** Characters that are searched for an article, since the work grows superlinearly. */
const MAX_SEARCHED_CHARACTERS = 500_000;
const ARTICLE_RATIO = 0.5;

/**
 * Extracts the content as Markdown: the element that the page marks as its content; otherwise the
 * result of Readability, which drops half of a list or front page; otherwise everything except
 * menus and scripts.
 */
export function convertPage({ html, url }: HtmlPage): MarkdownPage {
  const document = parseDocument(html);
  const title = collapseWhitespace(document.title);
  for (const element of [...document.querySelectorAll(NON_CONTENT_SELECTOR)]) element.remove();
  const content = findNamedContent(document) ?? extractArticle(document) ?? document.body;
  return { title, markdown: htmlToMarkdown(content, url) };
}

function parseDocument(html: string): PageDocument {
  const isComplete = /<html[\s>]/i.test(html);
  return parseHTML(isComplete ? html : `<html><body>${html}</body></html>`).document;
}

/** Several elements are a list of teasers. */
function findNamedContent(document: PageDocument): PageElement | undefined {
  for (const selector of CONTENT_SELECTORS) {
    const named = [...document.querySelectorAll(selector)].filter((one) => measureText(one) > 0);
    if (named.length === 1) return named[0];
  }
  return undefined;
}

function extractArticle(document: PageDocument): PageElement | undefined {
  const html = document.toString();
  if (html.length > MAX_SEARCHED_CHARACTERS) return undefined;
  const article = new Readability(parseDocument(html), { keepClasses: true }).parse();
  const found = parseDocument(article?.content ?? "").body;
  return measureText(found) > 0 && measureText(found) >= measureText(document.body) * ARTICLE_RATIO
    ? found
    : undefined;
}

function measureText({ textContent }: PageElement): number {
  return collapseWhitespace(textContent ?? "").length;
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
