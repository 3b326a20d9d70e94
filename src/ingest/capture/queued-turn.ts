import { z } from "zod";
import type { DurableQueue } from "../../shared/durable-queue.ts";
import { ACCEPTANCES } from "../learning/index.ts";
import { isReported, readSession, updateSession } from "./hook-session.ts";
import type { CapturedWork } from "./keep-captured.ts";
import { readCandidates } from "./read-candidates.ts";

/** The end of a turn as a queued job: the transcript, and how far it had been looked through before. */
const queuedTurn = z.object({
  client: z.string(),
  session: z.string(),
  db: z.string(),
  sessionFile: z.string(),
  cwd: z.string(),
  transcriptPath: z.string(),
  accept: z.enum(ACCEPTANCES).default("auto"),
  /** The client's name for the session, which identifies the source with its words. */
  source: z.string().optional(),
});
export type QueuedTurn = z.output<typeof queuedTurn>;

/** Looks for parts of the turn that may be worth keeping, and queues them. */
export async function lookThroughTurn(payload: unknown, queue: DurableQueue): Promise<void> {
  const { client, session, db, sessionFile, source, ...place } = queuedTurn.parse(payload);
  const { reading: before, shown, told = [], firstNew } = readSession(sessionFile);
  const { candidates, reading } = await readCandidates({ ...place, firstNew }, before);
  const from = { client, session, db, sessionFile, source };
  const isPrinted = new Set(told);
  const found = candidates.filter(({ quotation = "" }) => !isReported(quotation, isPrinted));
  const work: CapturedWork = { ...from, shown: [...shown], candidates: found };
  if (found.length > 0) queue.add("captured", work);
  // Queued candidates are not searched for again. If the process ends before this line, they are found once
  // more.
  updateSession(sessionFile, (now) => ({ ...now, reading }));
}
