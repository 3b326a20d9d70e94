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
  /** Absolute. */
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
  /** Absolute paths of folders that edits made, outermost first. */
  folders: z.array(z.string()),
  /** Commands ran, which may have done something outside of the project. */
  commands: z.boolean().optional(),
  /** Git stands elsewhere since, and its repository lies outside of the project. */
  movedGit: z.boolean().optional(),
  /** The program ended in the middle of it. */
  cutOff: z.boolean().optional(),
  memoryAfter: z.string().optional(),
  /** Absent when nothing was remembered. */
  remembered: rememberedRange.optional(),
  conversation: z
    .object({
      /** Messages before the turn, and a hash of the last of them. */
      length: z.number(),
      last: z.string(),
      /** All of them, where the turn ended in a fresh context. */
      messages: messages.optional(),
    })
    .optional(),
  undone: z
    .object({
      undoId: z.string(),
      scope: z.enum(["files", "conversation", "both"]),
      change: z.string().optional(),
      /** The conversation as it was. */
      messages: messages.optional(),
    })
    .optional(),
});
export type TurnRecord = z.output<typeof turnRecord>;

/** A turn that is going on, or that the end of its process cut off. */
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
    /** Files as they were before its edits. */
    written: z.array(fileChange.pick({ path: true, before: true })),
    /** Commands ran: what is kept of the project as it was before the first. */
    tree: z.string().optional(),
    linkedGit: z.string().optional(),
  });
export type OpenTurn = z.output<typeof openTurn>;

/** The turns in the file; none when there is none. Throws what is wrong with it. */
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

export type Before = Pick<OpenTurn, "written" | "folders" | "tree" | "linkedGit">;

/** A project of which can be asked how it is now. */
interface LookedThrough {
  readonly root: string;
  readonly store: BlobStore;
  look(): Promise<TreeState | undefined>;
}

export interface TurnChanges {
  readonly files: FileChange[];
  readonly folders: string[];
  /** The project at the end, where commands ran. */
  readonly after: TreeState | undefined;
  /** Git stands elsewhere, and its repository lies outside of the project. */
  readonly movedGit: boolean;
}

export async function changesSince(
  project: LookedThrough,
  {
    written,
    folders,
    state,
    linkedGit,
  }: Omit<Before, "tree"> & { readonly state: TreeState | undefined },
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
    // One that is ignored since is not gone.
    const now = (file: FileChange) =>
      file.after === null && isReached(dirname(file.path), reached)
        ? changeOf(file.path, file.before)
        : file;
    files.push(...others.filter(({ path }) => !known.has(path)).map(now));
  }
  const changed = files.filter(({ before, after: now }) => !isSameCopy(before, now));
  const movedGit = linkedGit !== undefined && linkedGitMark(project.root) !== linkedGit;
  return { files: changed, folders, after, movedGit };
}
