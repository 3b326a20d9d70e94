import { shorten, stripControl } from "../../shared/text.ts";

/** The text on one line, cut after `most` characters. */
export function markdownLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = withoutComments(stripControl(text)).replace(/\s+/g, " ").trim();
  return shorten(line, most);
}

/** The text as a list entry, with further lines indented so that they belong to it. */
export function markdownEntry(text: string): string {
  const lines = withoutComments(stripControl(text)).trim().split("\n");
  return lines.map((line, index) => (index === 0 || line === "" ? line : `  ${line}`)).join("\n");
}

/** Removes comments, which would hide the text after them or could imitate cairn's own marks. */
function withoutComments(text: string): string {
  return text.replaceAll("<!--", "&lt;!--").replaceAll("-->", "--&gt;");
}

/** A file's name from a title: letters, digits and hyphens, at most 60. */
export function fileNameOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return Array.from(slug).slice(0, 60).join("").replace(/-+$/, "");
}

export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}
