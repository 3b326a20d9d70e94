import { closeSync, openSync, readSync, statSync } from "node:fs";
import {
  type Candidate,
  comparableText,
  findCandidates,
  readTranscript,
} from "../../capture/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import type { HookSession } from "./hook-session.ts";

/** Of a transcript that is longer, only the end is read; bytes. */
const MOST_OF_TRANSCRIPT = 32 * 1024 * 1024;

export interface CaptureRequest {
  readonly client: string;
  readonly session: string;
  readonly cwd: string;
  readonly transcriptPath: string;
  readonly known: HookSession;
}

/**
 * Keeps what the transcript has that is new, as one change: episodes labelled `captured=<client>`.
 * Resolves to the session's new state.
 */
export async function keepCaptured(
  memory: MemoryEngine,
  request: CaptureRequest,
): Promise<HookSession> {
  const entries = readTranscript(readEnd(request.transcriptPath));
  const candidates = await findCandidates(entries, request);
  const news = await onlyNews(memory, candidates, request.known);
  const ops = news.map((candidate) => opFor(candidate, request));
  if (ops.length === 0) return request.known;
  const applied = await memory.execute("apply", { changeset: JSON.stringify(ops) });
  const filesAt = news.findIndex(({ kind }) => kind === "files");
  const filesEpisode = applied.results[filesAt]?.id ?? request.known.filesEpisode;
  return {
    shown: [...request.known.shown, ...applied.results.flatMap(({ id }) => id ?? [])],
    captured: [
      ...request.known.captured,
      ...news.map(({ content }) => comparableText(content)),
    ].slice(-500),
    ...(filesEpisode !== undefined && { filesEpisode }),
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

function opFor(candidate: Candidate, { client, session, known }: CaptureRequest) {
  const { kind, content, entities, episodeType, assertedBy } = candidate;
  if (kind === "files" && known.filesEpisode !== undefined) {
    return { op: "update", id: known.filesEpisode, content, entities };
  }
  return {
    op: "remember",
    content,
    episode_type: episodeType,
    ...(entities.length > 0 && { entities }),
    labels: [`captured=${client}`],
    source_type: "capture",
    asserted_by: assertedBy === "user" ? "user" : client,
    session: `${client}:${session}`.slice(0, 200),
  };
}

/** The file's text, or its last part from the beginning of a line on. */
function readEnd(path: string): string {
  const { size } = statSync(path);
  const length = Math.min(size, MOST_OF_TRANSCRIPT);
  const buffer = Buffer.alloc(length);
  const file = openSync(path, "r");
  try {
    readSync(file, buffer, 0, length, size - length);
  } finally {
    closeSync(file);
  }
  const text = buffer.toString("utf8");
  return size === length ? text : text.slice(text.indexOf("\n") + 1);
}
