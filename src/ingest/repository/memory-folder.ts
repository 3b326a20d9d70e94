import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { CairnError, stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { MemoryItem } from "./merge-item.ts";
import { type MemoryText, readText, type Section } from "./read-text.ts";
import { writeText } from "./write-text.ts";

const OURS_MARKER = /^<{7}(?: |$)/;
const BASE_MARKER = /^\|{7}(?: |$)/;
const SEPARATOR_MARKER = /^={7}$/;
const THEIRS_MARKER = /^>{7}(?: |$)/;

/**
 * Splits a file at conflict markers into both sides, which are equal without markers. Undefined if
 * markers are incomplete.
 */
export function splitAtMarkers(text: string): readonly [string, string] | undefined {
  const sides: [string[], string[]] = [[], []];
  let side: "both" | "ours" | "base" | "theirs" = "both";
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (OURS_MARKER.test(line)) {
      if (side !== "both") return undefined;
      side = "ours";
    } else if (BASE_MARKER.test(line) && side === "ours") side = "base";
    else if (SEPARATOR_MARKER.test(line) && (side === "ours" || side === "base")) side = "theirs";
    else if (THEIRS_MARKER.test(line)) {
      if (side !== "theirs") return undefined;
      side = "both";
    } else {
      if (side === "both" || side === "ours") sides[0].push(line);
      if (side === "both" || side === "theirs") sides[1].push(line);
    }
  }
  return side === "both" ? [sides[0].join("\n"), sides[1].join("\n")] : undefined;
}

export const MEMORY_FOLDER = ".cairn/memory";
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 20_000;

export interface MemoryFile {
  /** Relative to the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly preamble: string;
  /** In order; for a conflicted file, sections of both sides. */
  readonly sections: readonly Section[];
}

/** Throws conflict listing every invalid line; no file is applied then. */
export function readFolder(root: string, types: readonly string[]): MemoryFile[] {
  const issues: string[] = [];
  const files = listPaths(root, MEMORY_FOLDER, issues).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const sides = splitAtMarkers(text);
    if (sides === undefined) {
      issues.push(`${path}: incomplete conflict markers. Remove the rest of them.`);
      return [];
    }
    const [ours, theirs] = sides.map((side) => readText(side, types)) as [MemoryText, MemoryText];
    for (const issue of removeDuplicateIssues(ours, theirs)) issues.push(`${path}:${issue}`);
    return [
      {
        path,
        text,
        preamble: ours.preamble,
        sections: [...ours.sections, ...findSectionsOnlyIn(theirs, ours)],
      },
    ];
  });
  if (issues.length > 0) {
    const listed = issues.slice(0, 20).join("\n");
    const more = issues.length > 20 ? `\n… and ${issues.length - 20} more` : "";
    throw stateConflict(`Nothing was changed because these lines are invalid:\n${listed}${more}`);
  }
  return files;
}

function removeDuplicateIssues(...texts: readonly MemoryText[]): string[] {
  return [
    ...new Set(
      texts.flatMap(({ issues }) => issues.map(({ line, message }) => `${line}: ${message}`)),
    ),
  ];
}

function findSectionsOnlyIn(theirs: MemoryText, ours: MemoryText): Section[] {
  const known = new Set(ours.sections.map(({ item }) => JSON.stringify(item)));
  return theirs.sections.filter(({ item }) => !known.has(JSON.stringify(item)));
}

/** Symbolic links could leave the project. */
function listPaths(root: string, path: string, issues: string[]): string[] {
  let known = "";
  for (const part of path.split("/")) {
    known = known === "" ? part : `${known}/${part}`;
    const stat = lstatSync(join(root, known), { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory())
      throw new CairnError(
        "conflict",
        `${known} is not a folder. Move it, or replace it with a folder.`,
      );
  }
  const found: string[] = [];
  const walk = (folder: string) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(below);
      else if (!entry.name.endsWith(".md")) continue;
      else if (!entry.isFile()) issues.push(`${below}: is not a regular file. Remove it.`);
      else if (lstatSync(join(root, below)).size > MAX_BYTES)
        issues.push(`${below}: is larger than 16 MiB. Split it.`);
      else found.push(below);
    }
    if (found.length > MAX_FILES)
      throw new CairnError(
        "too_large",
        `${path} has more than ${MAX_FILES} files. Combine items into fewer files.`,
      );
  };
  walk(path);
  return found;
}

export function collectVersions(sections: Iterable<Section["item"]>): Map<string, MemoryItem[]> {
  const versions = new Map<string, MemoryItem[]>();
  for (const item of sections) {
    const { id } = item;
    if (id !== undefined) versions.set(id, [...(versions.get(id) ?? []), { ...item, id }]);
  }
  return versions;
}

export interface FileChange {
  readonly path: string;
  /** Undefined: delete the file. */
  readonly text: string | undefined;
}

export function writeChanges(root: string, changes: readonly FileChange[]): void {
  for (const { path, text } of changes) {
    const file = join(root, path);
    if (text === undefined) rmSync(file, { force: true });
    else {
      makeFolder(join(file, ".."));
      writeFileAtomic.sync(file, text, { mode: 0o644 });
    }
  }
}

const MAX_NAME_CHARACTERS = 48;

/** New items get one file each, to avoid merge conflicts. */
function createFileName({ type, content, id }: MemoryItem): string {
  const words = content
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_CHARACTERS)
    .replaceAll(/^-+|-+$/g, "");
  const kind = type.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return [kind, ...(words === "" ? [] : [words]), id].join("-").concat(".md");
}

interface FileLayout {
  readonly items: ReadonlyMap<string, MemoryItem>;
  readonly idOf: (section: Section) => string;
  readonly isLeft: (section: Section) => boolean;
}

export function layOutFiles(
  files: readonly MemoryFile[],
  { items, idOf, isLeft }: FileLayout,
): FileChange[] {
  const writtenIds = new Set<string>();
  const changes = files.flatMap(({ path, text, preamble, sections }): FileChange[] => {
    const remaining = sections.flatMap((section): MemoryItem[] => {
      const id = idOf(section);
      if (writtenIds.has(id)) return [];
      const item = isLeft(section) ? { ...section.item, id } : items.get(id);
      if (item === undefined) return [];
      writtenIds.add(id);
      return [item];
    });
    if (remaining.length === 0 && sections.length > 0 && preamble === "")
      return [{ path, text: undefined }];
    // A file without items belongs to the user.
    if (sections.length === 0) return [];
    const written = writeText(preamble, remaining);
    return written === text.replaceAll("\r\n", "\n") ? [] : [{ path, text: written }];
  });
  const usedPaths = new Set(files.map(({ path }) => path));
  for (const [id, item] of items) {
    if (writtenIds.has(id)) continue;
    const path = `${MEMORY_FOLDER}/${createFileName(item)}`;
    const free = usedPaths.has(path) ? path.replace(/\.md$/, `-${usedPaths.size}.md`) : path;
    changes.push({ path: free, text: writeText("", [item]) });
  }
  return changes;
}
