import { shorten, stripControl } from "../../shared/text.ts";
import type { ExportedMemory } from "./exported-memory.ts";

export interface ExportedFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

export interface ExportOptions {
  /** Name of the database. */
  readonly database: string;
  readonly now: Date;
  /** The most entries in each part, for formats that export a selection. */
  readonly limit: number;
}

/**
 * Writes a memory for people and other tools to read. The format that cairn can read back is `cairn export`.
 */
export interface Exporter {
  /** The name that `--format` takes. */
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /**
   * `files`: a folder of files, or all of them as one. `section`: a part of a file whose other content stays
   * as it is.
   */
  readonly form: "files" | "section";
  /** The files in the order in which they are joined to one. */
  write(memory: ExportedMemory, options: ExportOptions): AsyncIterable<ExportedFile>;
}

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
