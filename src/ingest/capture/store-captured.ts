import { z } from "zod";
import { type Memory, mistakePair } from "../../memory/index.ts";
import type { QueuedJob } from "../../shared/durable-queue.ts";
import { comparableText } from "../learning/index.ts";
import { readSession, updateSession } from "./hook-session.ts";
import {
  CANDIDATE_KINDS,
  CANDIDATE_TYPES,
  type Candidate,
  storeCandidates,
  toClaims,
} from "./tool-calls.ts";

const MAX_REMEMBERED = 500;

/** Job payload: candidates found in a transcript. */
const capturedWork = z.object({
  client: z.string(),
  session: z.string(),
  db: z.string(),
  sessionFile: z.string(),
  /** The client's session name, used as the source name. */
  source: z.string().optional(),
  /** Ids of the items that the model had seen at this point. */
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
      onlyReplaces: z.boolean().optional(),
      doubt: z.string().optional(),
      at: z.string().optional(),
    }),
  ),
});
export type CapturedWork = z.input<typeof capturedWork>;
type CaptureJob = z.output<typeof capturedWork>;

/**
 * Stores candidates from a session; a correction supersedes what it corrects. Idempotent: a retried
 * job with the same id writes only once.
 */
export async function storeCaptured(
  job: QueuedJob,
  getMemory: (db: string) => Memory,
): Promise<void> {
  const work = capturedWork.parse(job.payload);
  const memory = getMemory(work.db);
  const isFiles = ({ kind }: Candidate) => kind === "files";
  // Forgotten items are not stored again when the transcript is reread.
  const before = new Set(readSession(work.sessionFile).captured);
  const { stored } = await storeCandidates(memory, {
    candidates: work.candidates.filter(
      (candidate) => !isFiles(candidate) && !before.has(comparableText(candidate.content)),
    ),
    ...{ client: work.client, session: getSession(work), source: work.source, shown: work.shown },
    idempotencyKey: `hook-${job.id}`,
  });
  const filesEpisode = await selectFiles(memory, {
    job,
    work,
    files: work.candidates.find(isFiles),
  });
  const certain = work.candidates.filter(({ doubt }) => doubt === undefined);
  const texts = certain.map(({ content }) => comparableText(content));
  updateSession(work.sessionFile, (known) => ({
    ...known,
    shown: [...new Set([...known.shown, ...stored.map(({ id }) => id)])],
    added: (known.added ?? 0) + stored.length,
    captured: [...new Set([...known.captured, ...texts])].slice(-MAX_REMEMBERED),
    ...(filesEpisode !== undefined && { filesEpisode }),
  }));
}

const getSession = ({ client, session }: CaptureJob) => `${client}:${session}`.slice(0, 200);

async function selectFiles(
  memory: Memory,
  { job, work, files }: { job: QueuedJob; work: CaptureJob; files: Candidate | undefined },
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
  const [claim] = toClaims([files], { client: work.client, session: getSession(work) });
  const { results } = await memory.execute("apply", {
    changeset: JSON.stringify([{ op: "remember", ...claim }]),
    idempotency_key: `hook-${job.id}-files`,
  });
  return results[0]?.id ?? undefined;
}
