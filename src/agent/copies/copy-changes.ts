import { existsSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch, structuredPatch } from "diff";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { type FileState, isSameState, readState } from "./file-state.ts";
import { everyFileOf, filesOfTree } from "./files-of-tree.ts";

/** A file that the work in a copy has changed. */
export interface CopyChange {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  readonly base: FileState;
  readonly copy: FileState;
}

/** What was done in a copy since it was made, in the order of the paths. */
export async function changesOfCopy({ tree, base }: ProjectCopy): Promise<readonly CopyChange[]> {
  // Without a repository of its own it may lie in one of somebody else's.
  const worked = await filesOfTree(tree, existsSync(join(tree, ".git")));
  const paths = new Set([...(await everyFileOf(base)), ...worked]);
  return [...paths].sort().flatMap((path) => {
    const before = readState(base, path);
    const found = readState(tree, path);
    // What is no file and no link any more is gone; what took its place is a path of its own.
    const after: FileState = found.kind === "other" ? { kind: "none" } : found;
    if (isSameState(before, after)) return [];
    const kind =
      before.kind === "none" ? "added" : after.kind === "none" ? "removed" : ("changed" as const);
    return [{ path, kind, base: before, copy: after }];
  });
}

const LINES_AROUND = 3;

/** A unified diff of one file; of what is no text, and of links, a line. */
export function diffOfChange({ path, kind, base, copy }: CopyChange): string {
  const [before, after] = [textOf(base), textOf(copy)];
  if (before === undefined || after === undefined)
    return `${kind} ${path} (${whatIs(copy, base)})\n`;
  const names = [
    kind === "added" ? "/dev/null" : `a/${path}`,
    kind === "removed" ? "/dev/null" : `b/${path}`,
  ];
  const options = { context: LINES_AROUND };
  const [from = "", to = ""] = names;
  const diff = createTwoFilesPatch(from, to, before, after, "", "", options).replace(/^=+\n/, "");
  const mode = modeLine(base, copy);
  return mode === "" ? diff : `${mode}\n${diff}`;
}

/** How many pieces a change has that can be left out one by one; 0 for what is no text. */
export function countPieces(change: CopyChange): number {
  return hunksOf(change).length;
}

/** The pieces of a change of text. */
export function hunksOf({ base, copy, path }: CopyChange) {
  const [before, after] = [textOf(base), textOf(copy)];
  if (base.kind !== "file" || copy.kind !== "file") return [];
  if (before === undefined || after === undefined) return [];
  return structuredPatch(path, path, before, after, "", "", { context: LINES_AROUND }).hunks;
}

/** Undefined for what is no text. */
export function textOf(state: FileState): string | undefined {
  if (state.kind === "none") return "";
  if (state.kind !== "file" || state.content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(state.content);
  } catch {
    // Bytes that are no UTF-8 are shown as what they are: no text.
    return undefined;
  }
}

function whatIs(copy: FileState, base: FileState): string {
  const state = copy.kind === "none" ? base : copy;
  if (state.kind === "link") return `a link to ${state.target}`;
  if (state.kind === "file") return `${state.content.length.toLocaleString("en")} bytes, no text`;
  return "no file";
}

function modeLine(base: FileState, copy: FileState): string {
  if (base.kind !== "file" || copy.kind !== "file" || base.isProgram === copy.isProgram) return "";
  return copy.isProgram ? "can be run from now on" : "can no longer be run";
}
