import { z } from "zod";
import type { QueuedJob } from "../kernel/durable-queue.ts";
import { comparableText } from "../learning/index.ts";
import { type MemoryEngine, MISTAKE, mistakePair } from "../memory/index.ts";
import { CANDIDATE_KINDS, CANDIDATE_TYPES, type Candidate } from "./candidate.ts";
import { type HookSession, readSession, writeSession } from "./hook-session.ts";

const MOST_REMEMBERED = 500;

const settledWork = z.object({
  changeset: z.string(),
  texts: z.array(z.string()),
  /** Which op lists the session's files; -1: none does. */
  filesAt: z.number(),
});
type Settled = z.output<typeof settledWork>;

/** What a transcript has that may be worth keeping, as it can wait in a queue. */
const capturedWork = z.object({
  client: z.string(),
  session: z.string(),
  /** Name of the database. */
  db: z.string(),
  /** File with the session's state. */
  sessionFile: z.string(),
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
    }),
  ),
  /** What is written, once that is settled: what is done again writes the same. */
  settled: settledWork.optional(),
});
export type CapturedWork = z.output<typeof capturedWork>;

export interface CaptureTools {
  readonly memoryOf: (db: string) => MemoryEngine;
  /** Notes what was settled, for whoever has to do the job again. */
  readonly note: (job: QueuedJob, work: CapturedWork) => void;
}

/**
 * Keeps what is new, as one change: episodes labelled `captured=<client>`. Done twice under the same
 * id it writes once, wherever the first time broke off.
 */
export async function keepCaptured(
  job: QueuedJob,
  { memoryOf, note }: CaptureTools,
): Promise<void> {
  const work = capturedWork.parse(job.payload);
  const memory = memoryOf(work.db);
  const settled = work.settled ?? (await settle(memory, work));
  if (settled === undefined) return;
  if (work.settled === undefined) note(job, { ...work, settled });
  const { changeset } = settled;
  const applied = await memory.execute("apply", { changeset, idempotency_key: `hook-${job.id}` });
  const known = readSession(work.sessionFile);
  const filesEpisode = applied.results[settled.filesAt]?.id ?? known.filesEpisode;
  writeSession(work.sessionFile, {
    ...known,
    shown: [...new Set([...known.shown, ...applied.results.flatMap(({ id }) => id ?? [])])],
    captured: [...new Set([...known.captured, ...settled.texts])].slice(-MOST_REMEMBERED),
    ...(filesEpisode !== undefined && { filesEpisode }),
  });
}

async function settle(memory: MemoryEngine, work: CapturedWork): Promise<Settled | undefined> {
  const known = readSession(work.sessionFile);
  const news = await onlyNews(memory, work.candidates, known);
  if (news.length === 0) return undefined;
  return {
    changeset: JSON.stringify(news.map((candidate) => opFor(candidate, work, known))),
    texts: news.map(({ content }) => comparableText(content)),
    filesAt: news.findIndex(({ kind }) => kind === "files"),
  };
}

/** Without what this session has kept already, and what memory holds in the same words. */
async function onlyNews(
  memory: MemoryEngine,
  candidates: readonly Candidate[],
  known: HookSession,
): Promise<Candidate[]> {
  const captured = new Set(known.captured);
  const news: Candidate[] = [];
  for (const candidate of candidates) {
    const text = comparableText(candidate.content);
    if (captured.has(text) || (await holds(memory, candidate.content, text))) continue;
    news.push(candidate);
  }
  return news;
}

async function holds(memory: MemoryEngine, content: string, text: string): Promise<boolean> {
  const { episodes } = await memory.execute("recall", { query: content, k: 0, episode_k: 3 });
  return episodes.some((episode) => comparableText(episode.content) === text);
}

function opFor(candidate: Candidate, { client, session }: CapturedWork, known: HookSession) {
  const { kind, content, entities, episodeType, assertedBy, mistake } = candidate;
  if (kind === "files" && known.filesEpisode !== undefined) {
    return { op: "update", id: known.filesEpisode, content, entities };
  }
  return {
    op: "remember",
    content,
    episode_type: episodeType,
    ...(entities.length > 0 && { entities }),
    labels: [`captured=${client}`, ...(mistake === undefined ? [] : [`${MISTAKE}=${mistake.how}`])],
    ...(mistake !== undefined && { metadata: { mistake } }),
    source_type: "capture",
    asserted_by: assertedBy === "user" ? "user" : client,
    session: `${client}:${session}`.slice(0, 200),
  };
}
