import { z } from "zod";
import type { DurableQueue } from "../kernel/durable-queue.ts";
import { ACCEPTANCES } from "../learning/index.ts";
import { readSession, writeSession } from "./hook-session.ts";
import type { CapturedWork } from "./keep-captured.ts";
import { readCandidates } from "./read-candidates.ts";

/** The end of a turn, as it can wait in a queue: where it is told, and how far that was looked through before. */
const queuedTurn = z.object({
  client: z.string(),
  session: z.string(),
  /** Name of the database. */
  db: z.string(),
  /** File with the session's state. */
  sessionFile: z.string(),
  cwd: z.string(),
  transcriptPath: z.string(),
  /** What of it is kept without asking. */
  accept: z.enum(ACCEPTANCES).default("auto"),
  /** What the client calls the session, as the source that holds its words. */
  source: z.string().optional(),
});
export type QueuedTurn = z.output<typeof queuedTurn>;

/** Looks for what of the turn may be worth keeping, and queues that. */
export async function lookThroughTurn(payload: unknown, queue: DurableQueue): Promise<void> {
  const { client, session, db, sessionFile, source, ...place } = queuedTurn.parse(payload);
  const { reading: before, shown } = readSession(sessionFile);
  const { candidates, reading } = await readCandidates(place, before);
  const from = { client, session, db, sessionFile, source };
  // A correction means what was shown until now, whenever it is kept.
  const work: CapturedWork = { ...from, shown: [...shown], candidates: [...candidates] };
  if (candidates.length > 0) queue.add("captured", work);
  // What is in the queue is not looked for again; whoever ends before this finds it once more.
  writeSession(sessionFile, { ...readSession(sessionFile), reading });
}
