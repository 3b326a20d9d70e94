import { z } from "zod";
import type { QueuedJob } from "../kernel/durable-queue.ts";
import { comparableText } from "../learning/index.ts";
import { type Memory, mistakePair } from "../memory/index.ts";
import { asClaims } from "./as-claims.ts";
import { CANDIDATE_KINDS, CANDIDATE_TYPES, type Candidate } from "./candidate.ts";
import { readSession, writeSession } from "./hook-session.ts";
import { keepCandidates } from "./keep-candidates.ts";

const MOST_REMEMBERED = 500;

/** What a transcript has that may be worth keeping, as it can wait in a queue. */
const capturedWork = z.object({
  client: z.string(),
  session: z.string(),
  /** Name of the database. */
  db: z.string(),
  /** File with the session's state. */
  sessionFile: z.string(),
  /** What the client calls the session, as the source that holds its words. */
  source: z.string().optional(),
  /** Ids of what the model had before it when this was said. */
  shown: z.array(z.string()).default([]),
  candidates: z.array(
    z.object({
      kind: z.enum(CANDIDATE_KINDS),
      episodeType: z.enum(CANDIDATE_TYPES),
      content: z.string(),
      entities: z.array(z.string()).readonly(),
      assertedBy: z.enum(["user", "assistant"]),
      mistake: mistakePair.optional(),
      quotation: z.string().optional(),
      corrects: z.boolean().optional(),
      rejects: z.array(z.string()).readonly().optional(),
      doubt: z.string().optional(),
    }),
  ),
});
export type CapturedWork = z.input<typeof capturedWork>;
type Work = z.output<typeof capturedWork>;

/**
 * Keeps what is new of a session by the door of all that is learned: what corrects something that
 * holds replaces it. Done twice under the same id it writes once, wherever the first time broke off.
 */
export async function keepCaptured(
  job: QueuedJob,
  memoryOf: (db: string) => Memory,
): Promise<void> {
  const work = capturedWork.parse(job.payload);
  const memory = memoryOf(work.db);
  const isFiles = ({ kind }: Candidate) => kind === "files";
  // What somebody forgot since is not kept again because its transcript was read again.
  const before = new Set(readSession(work.sessionFile).captured);
  const { kept } = await keepCandidates(memory, {
    candidates: work.candidates.filter(
      (candidate) => !isFiles(candidate) && !before.has(comparableText(candidate.content)),
    ),
    ...{ client: work.client, session: sessionOf(work), source: work.source, shown: work.shown },
    idempotencyKey: `hook-${job.id}`,
  });
  const filesEpisode = await keepFiles(memory, { job, work, files: work.candidates.find(isFiles) });
  const known = readSession(work.sessionFile);
  // What was in doubt may be agreed to later, and is kept then.
  const sure = work.candidates.filter(({ doubt }) => doubt === undefined);
  const texts = sure.map(({ content }) => comparableText(content));
  writeSession(work.sessionFile, {
    ...known,
    shown: [...new Set([...known.shown, ...kept.map(({ id }) => id)])],
    captured: [...new Set([...known.captured, ...texts])].slice(-MOST_REMEMBERED),
    ...(filesEpisode !== undefined && { filesEpisode }),
  });
}

const sessionOf = ({ client, session }: Work) => `${client}:${session}`.slice(0, 200);

/** The id of the one episode that lists the session's files, which grows with it. */
async function keepFiles(
  memory: Memory,
  { job, work, files }: { job: QueuedJob; work: Work; files: Candidate | undefined },
): Promise<string | undefined> {
  const { filesEpisode: id, captured } = readSession(work.sessionFile);
  if (files === undefined) return id;
  const { content, entities } = files;
  if (id !== undefined && captured.includes(comparableText(content))) return id;
  if (id !== undefined) {
    await memory.execute("apply", {
      changeset: JSON.stringify([{ op: "update", id, content, entities }]),
    });
    return id;
  }
  const [claim] = asClaims([files], { client: work.client, session: sessionOf(work) });
  const { results } = await memory.execute("apply", {
    changeset: JSON.stringify([{ op: "remember", ...claim }]),
    idempotency_key: `hook-${job.id}-files`,
  });
  return results[0]?.id ?? undefined;
}
