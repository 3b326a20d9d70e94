import { readFileSync } from "node:fs";
import { z } from "zod";
import type { ModelMessage } from "../../llm/index.ts";
import { fileCopy } from "./file-copy.ts";

const fileChange = z.object({
  /** Absolute. */
  path: z.string(),
  before: fileCopy.nullable(),
  after: fileCopy.nullable(),
});
export type FileChange = z.output<typeof fileChange>;

/** What a session wrote to memory: changes after one, up to another. */
const rememberedRange = z.object({ after: z.string(), until: z.string(), count: z.number() });
export type RememberedRange = z.output<typeof rememberedRange>;

const messages = z.array(z.custom<ModelMessage>((value) => typeof value === "object"));

const turnRecord = z.object({
  turnId: z.string(),
  at: z.string(),
  text: z.string(),
  files: z.array(fileChange),
  /** Absolute paths of folders that it made, outermost first. */
  folders: z.array(z.string()),
  /** Absent when nothing was remembered. */
  remembered: rememberedRange.optional(),
  /** Where the conversation was; absent for a turn on a conversation of its own. */
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
      /** Those that were undone together have it in common. */
      undoId: z.string(),
      scope: z.enum(["files", "conversation", "both"]),
      /** Of memory: the change that the undo was. */
      change: z.string().optional(),
      /** The conversation as it was. */
      messages: messages.optional(),
    })
    .optional(),
});
export type TurnRecord = z.output<typeof turnRecord>;

/** The turns in the file; none when it is missing or broken. */
export function readTurns(path: string): TurnRecord[] {
  try {
    return z.array(turnRecord).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return [];
  }
}
