import { z } from "zod";
import type { Memory } from "../../memory/index.ts";
import { readSession as readHookSession, updateSession } from "../capture/index.ts";
import { loadMark, type SourceBatch, storeSource } from "./store-source.ts";
import { readSession } from "./transcripts/split-passages.ts";

const queuedTranscript = z.object({
  client: z.string(),
  session: z.string().optional(),
  cwd: z.string(),
  transcriptPath: z.string(),
  db: z.string(),
  sessionFile: z.string().optional(),
  /** ISO time for records without their own. */
  now: z.string(),
});
export type QueuedTranscript = z.output<typeof queuedTranscript>;

/** Reads new transcript content. Idempotent. */
export async function readQueuedTranscript(
  work: unknown,
  getMemory: (db: string) => Memory,
): Promise<void> {
  const { client, session, cwd, db, sessionFile, now, ...at } = queuedTranscript.parse(work);
  const path = at.transcriptPath;
  const memory = getMemory(db);
  const cursor =
    session === undefined ? undefined : await loadMark(memory, { kind: client, key: session });
  const batch = await readSession({ client, session, path, cwd, now }, cursor);
  if (batch === undefined) return;
  const added = await storeSource(memory, batch);
  if (sessionFile !== undefined) recordFirstNew(sessionFile, batch.passages, added);
}

/** On the first reading, records where the session's own content begins. */
function recordFirstNew(file: string, passages: SourceBatch["passages"], added: number): void {
  const { reading, firstNew } = readHookSession(file);
  if (passages.length === 0 || reading !== undefined || firstNew !== undefined) return;
  const [key = ""] = passages[passages.length - added]?.key.split("/") ?? [];
  updateSession(file, (now) => ({ ...now, firstNew: key }));
}
