import { Readability } from "@mozilla/readability";
import { type PageDocument, type PageElement, parseHTML } from "linkedom";
import { htmlToMarkdown } from "./html-to-markdown.ts";

export interface HtmlPage {
  readonly html: string;
  /** Links are told from here. */
  readonly url: string;
}

export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
}

/** What no reader of a page reads. */
const FURNITURE =
  "script, style, noscript, template, svg, canvas, iframe, object, embed, button, input, select, textarea, dialog, nav, footer, aside, [hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search]";
/** Where a page says that its content is. */
const CONTENT = ["main, [role=main]", "article"];
/** Characters of a page that is looked through for an article: the work grows faster than the page. */
const SEARCHED = 500_000;
/** Of the text without furniture: what is found and keeps less has lost what the page is about. */
const ARTICLE_SHARE = 0.5;

/**
 * The content of a page as Markdown: what the page itself names so; else what Readability finds,
 * which knows articles and drops half of a list or a front page; else all but menus and scripts.
 */
export function pageAsMarkdown({ html, url }: HtmlPage): MarkdownPage {
  const document = documentOf(html);
  const title = textOf(document.title);
  for (const element of [...document.querySelectorAll(FURNITURE)]) element.remove();
  const content = namedContent(document) ?? articleOf(document) ?? document.body;
  return { title, markdown: htmlToMarkdown(content, url) };
}

/** The parser takes the first element of a part of a page for the page. */
function documentOf(html: string): PageDocument {
  const isWhole = /<html[\s>]/i.test(html);
  return parseHTML(isWhole ? html : `<html><body>${html}</body></html>`).document;
}

/** Several are a list of teasers. */
function namedContent(document: PageDocument): PageElement | undefined {
  for (const selector of CONTENT) {
    const named = [...document.querySelectorAll(selector)].filter((one) => sizeOf(one) > 0);
    if (named.length === 1) return named[0];
  }
  return undefined;
}

function articleOf(document: PageDocument): PageElement | undefined {
  const html = document.toString();
  if (html.length > SEARCHED) return undefined;
  // Classes name the languages of code. It takes the document apart.
  const article = new Readability(documentOf(html), { keepClasses: true }).parse();
  const found = documentOf(article?.content ?? "").body;
  return sizeOf(found) > 0 && sizeOf(found) >= sizeOf(document.body) * ARTICLE_SHARE
    ? found
    : undefined;
}

function sizeOf({ textContent }: PageElement): number {
  return textOf(textContent ?? "").length;
}

function textOf(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
