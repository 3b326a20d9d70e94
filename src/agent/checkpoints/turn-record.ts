import { readFileSync } from "node:fs";
import { z } from "zod";
import type { ModelMessage } from "../../llm/index.ts";
import { isMissingFile } from "../../shared/errors.ts";
import { fileCopy } from "./file-copy.ts";

const fileChange = z.object({
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
