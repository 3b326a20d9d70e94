import { z } from "zod";
import type { Memory } from "../../memory/index.ts";
import { markOf, takeIn } from "./take-in.ts";
import { readSession } from "./transcripts/passages-of-records.ts";

const queuedTranscript = z.object({
  client: z.string(),
  session: z.string().optional(),
  cwd: z.string(),
  transcriptPath: z.string(),
  db: z.string(),
  /** ISO time for records that have no time of their own. */
  now: z.string(),
});
export type QueuedTranscript = z.output<typeof queuedTranscript>;

/** Reads what is new in the transcript. Repeating it adds nothing. */
export async function readQueuedTranscript(
  work: unknown,
  memoryOf: (db: string) => Memory,
): Promise<void> {
  const { client, session, cwd, transcriptPath: path, db, now } = queuedTranscript.parse(work);
  const memory = memoryOf(db);
  const mark =
    session === undefined ? undefined : await markOf(memory, { kind: client, key: session });
  const batch = await readSession({ client, session, path, cwd, now }, mark);
  if (batch !== undefined) await takeIn(memory, batch);
}
