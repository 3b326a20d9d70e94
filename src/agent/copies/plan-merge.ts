import { applyPatch, type StructuredPatchHunk } from "diff";
import { invalidInput } from "../../shared/errors.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { type CopyChange, changesOfCopy, hunksOf, textOf } from "./copy-changes.ts";
import { type FileState, isSameState, readState } from "./file-state.ts";
import { mergeTexts } from "./merge-texts.ts";

/** What is taken over, and what is left in the copy. */
export interface MergeWish {
  /** Paths, folders, or pieces of a file: `src/a.ts`, `src/`, `src/a.ts:2`. */
  readonly leave?: readonly string[];
  /** These alone. */
  readonly only?: readonly string[];
}

export interface PlannedWrite {
  readonly path: string;
  readonly from: FileState;
  readonly to: FileState;
}

export interface MergePlan {
  readonly writes: readonly PlannedWrite[];
  /** What both sides have changed, so that a person has to decide: nothing is written then. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
  readonly left: readonly string[];
}

/** What is merged into: the files of the project, unless something else is said. */
export interface MergeTarget {
  stateOf(path: string): Promise<FileState>;
  /** The change in the form that the target has. */
  fit?(change: CopyChange, now: FileState): CopyChange;
}

/** What a merge of the copy into its project would write. Throws invalid_input for a wish about nothing. */
export async function planMerge(
  copy: ProjectCopy,
  wish: MergeWish = {},
  target: MergeTarget = { stateOf: async (path) => readState(copy.project, path) },
): Promise<MergePlan> {
  const changes = await changesOfCopy(copy);
  requireKnown(changes, [...(wish.leave ?? []), ...(wish.only ?? [])]);
  const writes: PlannedWrite[] = [];
  const conflicts: { path: string; reason: string }[] = [];
  const left: string[] = [];
  for (const found of changes) {
    const from = await target.stateOf(found.path);
    const change = target.fit?.(found, from) ?? found;
    const wanted = wantedState(change, wish);
    if (wanted === undefined) {
      left.push(change.path);
      continue;
    }
    const to = await joined(from, change, wanted);
    if (typeof to === "string") conflicts.push({ path: change.path, reason: to });
    else if (!isSameState(from, to)) writes.push({ path: change.path, from, to });
  }
  return { writes, conflicts, left };
}

/** What the copy says of a file, without what is left out; undefined: all of it is left out. */
function wantedState(change: CopyChange, { leave = [], only }: MergeWish): FileState | undefined {
  const { path, base, copy } = change;
  if (only !== undefined && !only.some((wish) => concerns(wish, path))) return undefined;
  if (leave.some((wish) => pieceOf(wish, path) === undefined && concerns(wish, path))) {
    return undefined;
  }
  const pieces = leave.flatMap((wish) => pieceOf(wish, path) ?? []);
  const chosen = only?.flatMap((wish) => pieceOf(wish, path) ?? []) ?? [];
  const isWhole = pieces.length === 0 && chosen.length === 0;
  if (isWhole || base.kind === "none" || copy.kind !== "file") return copy;
  const hunks = hunksOf(change).filter(
    (_hunk, index) =>
      !pieces.includes(index + 1) && (chosen.length === 0 || chosen.includes(index + 1)),
  );
  return hunks.length === 0 ? undefined : withHunks(change, hunks);
}

function withHunks(change: CopyChange, hunks: StructuredPatchHunk[]): FileState {
  const before = textOf(change.base) ?? "";
  const text = applyPatch(before, patchOf(change.path, hunks));
  if (text === false) throw new Error(`${change.path}: its own pieces do not fit it.`);
  const isProgram = change.copy.kind === "file" && change.copy.isProgram;
  return { kind: "file", content: Buffer.from(text), isProgram };
}

/** What the project's file becomes, or why nobody but a person can say. */
async function joined(
  now: FileState,
  change: CopyChange,
  wanted: FileState,
): Promise<FileState | string> {
  const { base } = change;
  if (isSameState(now, base) || isSameState(now, wanted)) return wanted;
  if (now.kind === "other") return "a folder or a link stands in its way in the project";
  if (now.kind === "none") return "it was removed in the project and changed in the copy";
  if (wanted.kind === "none") return "it was removed in the copy and changed in the project";
  if (base.kind === "none") return "it was added in both, in different ways";
  if (now.kind !== "file" || wanted.kind !== "file" || base.kind !== "file") {
    return "one of the two is a link";
  }
  const [mine, before, theirs] = [textOf(now), textOf(base), textOf(wanted)];
  if (mine === undefined || before === undefined || theirs === undefined) {
    return "it was changed in both and is no text";
  }
  const text = await mergeTexts({ mine, before, theirs });
  if (text === undefined) return "the same lines were changed in both";
  const isProgram = wanted.isProgram === base.isProgram ? now.isProgram : wanted.isProgram;
  return { kind: "file", content: Buffer.from(text), isProgram };
}

function patchOf(path: string, hunks: StructuredPatchHunk[]) {
  return {
    oldFileName: path,
    newFileName: path,
    oldHeader: undefined,
    newHeader: undefined,
    hunks,
  };
}

function concerns(wish: string, path: string): boolean {
  const [named = ""] = splitPiece(wish);
  return path === named || path.startsWith(named.endsWith("/") ? named : `${named}/`);
}

/** The number of the piece that is meant of this file; undefined: all of it. */
function pieceOf(wish: string, path: string): number | undefined {
  const [named, piece] = splitPiece(wish);
  return named === path ? piece : undefined;
}

function splitPiece(wish: string): [string, number | undefined] {
  const match = /^(.+):(\d+)$/.exec(wish);
  return match === null ? [wish, undefined] : [match[1] ?? "", Number(match[2])];
}

function requireKnown(changes: readonly CopyChange[], wishes: readonly string[]): void {
  for (const wish of wishes) {
    const [, piece] = splitPiece(wish);
    const meant = changes.filter(({ path }) => concerns(wish, path) || path === wish);
    if (meant.length === 0) {
      throw invalidInput(
        `"${wish}": the copy changes nothing there. \`cairn copy show\` lists what it changes.`,
      );
    }
    const [file] = meant;
    if (piece === undefined || file === undefined) continue;
    const count = hunksOf(file).length;
    if (piece < 1 || piece > count) {
      throw invalidInput(
        `"${wish}": ${file.path} has ${count} ${count === 1 ? "piece" : "pieces"}.`,
      );
    }
  }
}
