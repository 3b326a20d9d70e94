import { createHash } from "node:crypto";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { tryReadRegularFile } from "../../../shared/regular-file.ts";
import { toWellFormedText } from "../../../shared/text.ts";
import { tryToTimestamp } from "../../../shared/time.ts";
import { findPaths } from "../../learning/index.ts";
import type { ReadPassage, SourceBatch } from "../store-source.ts";
import { splitParts } from "../transcripts/split-passages.ts";

/** Files that commonly document a project's conventions. */
const FILE_NAMES =
  /^(?:agents|claude|gemini|decisions|architecture|changelog|changes|history|conventions)\.(?:md|markdown)$|^\.(?:cursorrules|windsurfrules|clinerules)$/i;
const DECISION_FOLDERS = [
  "docs/decisions",
  "docs/adr",
  "docs/adrs",
  "docs/architecture/decisions",
  "docs/architecture-decisions",
  "doc/adr",
  "doc/decisions",
  "doc/architecture/decisions",
  "adr",
  "adrs",
  "decisions",
  ".cursor/rules",
] as const;
const MARKDOWN_FILE = /\.(?:md|mdc|markdown)$/i;
const OTHER_FILES = [".github/copilot-instructions.md"] as const;
const MAX_FILES = 300;

async function findDecisionFiles(folder: string): Promise<string[]> {
  const found = (await listFiles(folder)).filter((name) => FILE_NAMES.test(name)).sort();
  for (const additional of OTHER_FILES) {
    if (await isLinkFree(folder, additional, "file")) found.push(additional);
  }
  for (const inner of DECISION_FOLDERS) {
    if (!(await isLinkFree(folder, inner, "folder"))) continue;
    const names = (await listFiles(join(folder, inner))).filter((name) => MARKDOWN_FILE.test(name));
    found.push(...names.sort().map((name) => `${inner}/${name}`));
  }
  return found.slice(0, MAX_FILES);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** True if no path component is a link: only files inside the project may be read. */
async function isLinkFree(folder: string, path: string, kind: "file" | "folder"): Promise<boolean> {
  const parts = path.split("/");
  for (const index of parts.keys()) {
    const inner = join(folder, ...parts.slice(0, index + 1));
    const stats = await lstat(inner).catch(() => undefined);
    const isLast = index === parts.length - 1;
    const isExpected = isLast && kind === "file" ? stats?.isFile() : stats?.isDirectory();
    if (isExpected !== true) return false;
  }
  return true;
}

interface Section {
  readonly headings: readonly string[];
  readonly body: string;
  /** ISO time stated in the file, if any. */
  readonly at: string | undefined;
}

const HEADING = /^(#{1,4})\s+(.+?)\s*#*\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const DAY_PATTERN = /\b(\d{4}-\d{2}-\d{2})\b/;
/** A date at the start of a decision file: `Date: 2026-03-01`, `* date: 2026-03-01`. */
const DATE_LINE = /^[\s*_-]*date[\s*_]*:[\s*_"']*(\d{4}-\d{2}-\d{2})/im;
const BEGINNING_CHARACTERS = 600;
const MAX_HEADING_CHARACTERS = 1_000;

function splitSections(text: string): Section[] {
  const dayOfFile = parseDay(DATE_LINE.exec(text.slice(0, BEGINNING_CHARACTERS))?.[1]);
  const sections: Section[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  const finish = () => {
    const body = lines.join("\n").trim();
    lines = [];
    if (body === "") return;
    const day = headings.map((heading) => parseDay(DAY_PATTERN.exec(heading)?.[1])).find(isStated);
    sections.push({ headings, body, at: day ?? dayOfFile });
  };
  for (const line of text.replace(FRONT_MATTER, "").split(/\r?\n/)) {
    if (line.length < MAX_HEADING_CHARACTERS && FENCE.test(line)) isCode = !isCode;
    const [, marks, title] =
      isCode || line.length > MAX_HEADING_CHARACTERS ? [] : (HEADING.exec(line) ?? []);
    if (marks === undefined || title === undefined) {
      lines.push(line);
      continue;
    }
    finish();
    headings = [...headings.slice(0, marks.length - 1), title];
  }
  finish();
  return sections;
}

function parseDay(day: string | undefined): string | undefined {
  return tryToTimestamp(new Date(day === undefined ? Number.NaN : `${day}T12:00:00Z`));
}

function isStated(day: string | undefined): day is string {
  return day !== undefined;
}

export const SOURCE_KEY = "decisions";

/** Only this many leading bytes are read: changelogs list their newest entries first. */
const MAX_BYTES = 512 * 1024;
const MAX_SECTIONS = 1_000;

export interface DecisionsLocation {
  readonly folder: string;
  readonly project: string;
}

export interface KnownFile {
  readonly key: string;
  readonly mark: string | null;
  readonly passages: number;
}

/**
 * Yields each decision file changed since the last read, in full, and deleted files without
 * content.
 */
export async function* readDecisions(
  { folder, project }: DecisionsLocation,
  known: readonly KnownFile[],
): AsyncGenerator<SourceBatch> {
  const marks = new Map(known.map((file) => [file.key, file]));
  const seen = new Set<string>();
  for (const path of await findDecisionFiles(folder)) {
    const key = `${project}:${path}`;
    const read = await readText(join(folder, path));
    if (read === undefined) continue;
    seen.add(key);
    const cursor = hashText(read.text);
    if (marks.get(key)?.mark === cursor) continue;
    const { passages, omitted } = createPassages(path, read);
    const removed = [
      ...(read.omittedBytes > 0 ? [`${read.omittedBytes} bytes at the end`] : []),
      ...(omitted > 0 ? [`${omitted} sections`] : []),
    ].join(" and ");
    yield {
      ...{
        kind: SOURCE_KEY,
        key,
        title: path,
        place: folder,
        mark: cursor,
        passages,
        complete: true,
      },
      ...(removed !== "" && { omitted: removed }),
    };
  }
  for (const { key, passages } of known) {
    if (!key.startsWith(`${project}:`) || seen.has(key) || passages === 0) continue;
    yield { kind: SOURCE_KEY, key, mark: "gone", passages: [], complete: true };
  }
}

interface ReadText {
  readonly text: string;
  readonly changedAt: string;
  readonly omittedBytes: number;
}

async function readText(path: string): Promise<ReadText | undefined> {
  const read = tryReadRegularFile(path, MAX_BYTES);
  if (read === undefined || read.text.includes("\0")) return undefined;
  const { mtime } = await stat(path);
  return {
    ...read,
    text: toWellFormedText(read.text),
    changedAt: mtime.toISOString(),
  };
}

/** Identifies sections by content, so that moving one does not change it. */
function createPassages(path: string, { text, changedAt }: ReadText) {
  const passages = new Map<string, ReadPassage>();
  for (const { headings, body, at } of splitSections(text)) {
    for (const part of splitParts(body)) {
      const sectionText = [headings.join(" › "), part].filter((line) => line !== "").join("\n\n");
      passages.set(hashText(sectionText), {
        ...{
          key: hashText(sectionText),
          role: "section",
          by: path.slice(0, 200),
          text: sectionText,
        },
        files: [...new Set([path, ...findPaths(sectionText)])],
        occurred_at: at ?? changedAt,
      });
    }
  }
  const all = [...passages.values()];
  return {
    passages: all.slice(0, MAX_SECTIONS),
    omitted: Math.max(0, all.length - MAX_SECTIONS),
  };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
