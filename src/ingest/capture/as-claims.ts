import { MISTAKE } from "../../memory/index.ts";
import type { Candidate } from "./candidate.ts";

export interface CapturedBy {
  /** The client. What its agent says is recorded under this name. */
  readonly client: string;
  /** The name of the session in episodes. */
  readonly session: string;
}

/** Turns what was found in a session into claims for `keep_learned`. */
export function asClaims(candidates: readonly Candidate[], { client, session }: CapturedBy) {
  return candidates.map(({ mistake, doubt, ...candidate }) => ({
    content: candidate.content,
    episode_type: candidate.episodeType,
    ...(candidate.entities.length > 0 && { entities: [...candidate.entities] }),
    labels: [`captured=${client}`, ...(mistake === undefined ? [] : [`${MISTAKE}=${mistake.how}`])],
    ...(mistake !== undefined && { metadata: { mistake } }),
    source_type: "capture",
    asserted_by: candidate.assertedBy === "user" ? "user" : client,
    session,
    ...(candidate.quotation !== undefined && { quotation: candidate.quotation }),
    ...(candidate.corrects !== undefined && { corrects: candidate.corrects }),
    ...(candidate.rejects !== undefined && { rejects: [...candidate.rejects] }),
    ...(candidate.onlyReplaces === true && { only_if_replaces: true }),
    ...(doubt === undefined ? {} : { verdict: "propose" as const, reason: doubt }),
  }));
}
