import { z } from "zod";
import type { DurableQueue } from "../../shared/durable-queue.ts";
import { ACCEPTANCES } from "../learning/index.ts";
import { isReported, readSession, updateSession } from "./hook-session.ts";
import { readCandidates } from "./read-candidates.ts";
import type { CapturedWork } from "./store-captured.ts";

/** Job payload: a finished turn, with the transcript and the offset already processed. */
const queuedTurn = z.object({
  client: z.string(),
  session: z.string(),
  db: z.string(),
  sessionFile: z.string(),
  cwd: z.string(),
  transcriptPath: z.string(),
  accept: z.enum(ACCEPTANCES).default("auto"),
  /** The client's session name, used as the source name. */
  source: z.string().optional(),
});
export type QueuedTurn = z.output<typeof queuedTurn>;

/** Finds candidates in the turn and queues them. */
export async function processTurn(payload: unknown, queue: DurableQueue): Promise<void> {
  const { client, session, db, sessionFile, source, ...place } = queuedTurn.parse(payload);
  const { reading: before, shown, told = [], firstNew } = readSession(sessionFile);
  const { candidates, reading } = await readCandidates({ ...place, firstNew }, before);
  const from = { client, session, db, sessionFile, source };
  const isPrinted = new Set(told);
  const found = candidates.filter(({ quotation = "" }) => !isReported(quotation, isPrinted));
  const work: CapturedWork = { ...from, shown: [...shown], candidates: found };
  if (found.length > 0) queue.add("captured", work);
  // The offset is saved after queueing: a crash in between finds the same candidates again, and
  // their ids prevent duplicates.
  updateSession(sessionFile, (now) => ({ ...now, reading }));
}
