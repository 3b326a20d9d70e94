import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ModelMessage } from "../../llm/index.ts";
import { isMissingFile } from "../../shared/errors.ts";
import type { BlobStore } from "./blob-store.ts";
import {
  copyFile,
  type FileCopy,
  fileCopy,
  isReached,
  isSameCopy,
  type TreeState,
  treeDifference,
} from "./file-copy.ts";
import { linkedGitMark } from "./linked-git.ts";

export const fileChange = z.object({
  path: z.string(),
  before: fileCopy.nullable(),
  after: fileCopy.nullable(),
});
export type FileChange = z.output<typeof fileChange>;

const rememberedRange = z.object({ after: z.string(), until: z.string(), count: z.number() });
export type RememberedRange = z.output<typeof rememberedRange>;

const messages = z.array(z.custom<ModelMessage>((value) => typeof value === "object"));

const turnRecord = z.object({
  turnId: z.string(),
  at: z.string(),
  text: z.string(),
  files: z.array(fileChange),
  /** Absolute paths of created folders, outermost first. */
  folders: z.array(z.string()),
  commands: z.boolean().optional(),
  /** The repository outside of the project changed. */
  movedGit: z.boolean().optional(),
  /** The process was killed. */
  cutOff: z.boolean().optional(),
  memoryAfter: z.string().optional(),
  remembered: rememberedRange.optional(),
  conversation: z
    .object({
      /** Messages before the turn, and a hash of the last of them. */
      length: z.number(),
      last: z.string(),
      /** All messages, if the turn ended in a fresh context. */
      messages: messages.optional(),
    })
    .optional(),
  undone: z
    .object({
      undoId: z.string(),
      scope: z.enum(["files", "conversation", "both"]),
      change: z.string().optional(),
      messages: messages.optional(),
    })
    .optional(),
});
export type TurnRecord = z.output<typeof turnRecord>;

/** A running turn, or one of a killed process. */
export const openTurn = turnRecord
  .pick({
    turnId: true,
    at: true,
    text: true,
    folders: true,
    memoryAfter: true,
    conversation: true,
  })
  .extend({
    open: z.literal(true),
    threadId: z.string(),
    owner: z.object({ pid: z.number(), identity: z.string() }),
    written: z.array(fileChange.pick({ path: true, before: true })),
    /** Name of the stored state before the first command. */
    tree: z.string().optional(),
    linkedGit: z.string().optional(),
  });
export type OpenTurn = z.output<typeof openTurn>;

/** Throws if the file is invalid. */
export function readTurns(path: string): TurnRecord[] {
  const text = readIfThere(path);
  return text === undefined ? [] : z.array(turnRecord).parse(JSON.parse(text));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

export type InitialState = Pick<OpenTurn, "written" | "folders" | "tree" | "linkedGit">;

interface ChangeSearch {
  readonly root: string;
  readonly store: BlobStore;
  look(): Promise<TreeState | undefined>;
}

export interface TurnChanges {
  readonly files: FileChange[];
  readonly folders: string[];
  /** State at the end, if commands ran. */
  readonly after: TreeState | undefined;
  readonly movedGit: boolean;
}

export async function changesSince(
  project: ChangeSearch,
  {
    written,
    folders,
    state,
    linkedGit,
  }: Omit<InitialState, "tree"> & { readonly state: TreeState | undefined },
): Promise<TurnChanges> {
  const changeOf = (path: string, before: FileCopy | null): FileChange => ({
    path,
    before,
    after: copyFile(path, project.store),
  });
  const files = written.map(({ path, before }) => changeOf(path, before));
  const after = state === undefined ? undefined : await project.look();
  if (state !== undefined && after !== undefined) {
    const known = new Set(written.map(({ path }) => path));
    const others = treeDifference(state, after).files.map((file) => ({
      ...file,
      path: join(project.root, file.path),
    }));
    const reached = new Map<string, boolean>();
    // A file that is ignored since was not removed.
    const currentCopyOf = (file: FileChange) =>
      file.after === null && isReached(dirname(file.path), reached)
        ? changeOf(file.path, file.before)
        : file;
    files.push(...others.filter(({ path }) => !known.has(path)).map(currentCopyOf));
  }
  const changed = files.filter(({ before, after: now }) => !isSameCopy(before, now));
  const movedGit = linkedGit !== undefined && linkedGitMark(project.root) !== linkedGit;
  return { files: changed, folders, after, movedGit };
}
