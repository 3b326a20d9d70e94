import type { PageElement } from "linkedom";
import TurndownService from "turndown";

/** Markdown of a part of a page; addresses are told from `base`. */
export function htmlToMarkdown(root: PageElement, base: string): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    blankReplacement: (_text, { nodeName, isBlock }) =>
      CELLS.includes(nodeName.toLowerCase()) ? " |" : isBlock ? "\n\n" : "",
  });
  // A model reads names such as `a_b` better than what a renderer would need.
  service.escape = (text) => text;
  service.addRule("link", {
    filter: "a",
    replacement: (text, element) => link(text, element.getAttribute("href"), base),
  });
  // A picture is its description: nobody sees the file.
  service.addRule("picture", {
    filter: "img",
    replacement: (_text, element) => {
      const about = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
      return about === "" ? "" : `[image: ${about}]`;
    },
  });
  service.addRule("item", { filter: "li", replacement: item });
  service.addRule("cell", { filter: CELLS, replacement: (text) => ` ${oneLine(text)} |` });
  service.addRule("row", { filter: "tr", replacement: row });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (text) => text });
  service.addRule("table", { filter: "table", replacement: (text) => `\n\n${text.trim()}\n\n` });
  return service
    .turndown(root)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const CELLS = ["td", "th"];

function link(text: string, href: string | null, base: string): string {
  const shown = text.trim();
  const leads = href !== null && !href.startsWith("#") && URL.canParse(href, base);
  if (shown === "" || !leads) return shown;
  const target = new URL(href, base);
  return /^https?:$/.test(target.protocol) ? `[${shown}](${target.href})` : shown;
}

function item(text: string, element: PageElement): string {
  const list = element.parentElement;
  const isOrdered = list?.nodeName.toLowerCase() === "ol";
  const first = Number(list?.getAttribute("start") ?? 1);
  const before = [...(list?.children ?? [])].indexOf(element);
  const mark = isOrdered ? `${first + before}. ` : "- ";
  const indented = text.trim().replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`);
  return `${mark}${indented}\n`;
}

/** Markdown has no table without a head: the first row is taken for it. */
function row(text: string, element: PageElement): string {
  const isFirst = element.closest("table")?.querySelector("tr") === element;
  const rule = isFirst ? `\n|${" --- |".repeat([...element.children].length)}` : "";
  return `\n|${text}${rule}`;
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}
