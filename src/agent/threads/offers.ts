import { type Candidate, findCandidates } from "../../capture/index.ts";
import { comparableText } from "../../learning/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { entriesOfMessage } from "./entries-of-message.ts";

/** More would be a form to fill in. */
const MOST = 4;

export interface FinishedTurn {
  readonly messages: readonly ModelMessage[];
  readonly projectRoot: string;
  readonly signal: AbortSignal;
}

/** What a turn brought that a later session may want to know, until somebody keeps it. */
export class Offers {
  #open: readonly Candidate[] = [];

  get open(): readonly Candidate[] {
    return this.#open;
  }

  /** Takes those numbered away, from 1; all without numbers. */
  take(numbers?: readonly number[]): readonly Candidate[] {
    const taken = this.#open.filter((_, index) => numbers?.includes(index + 1) ?? true);
    this.#open = this.#open.filter((offer) => !taken.includes(offer));
    return taken;
  }

  /** Takes away what a person said against something that held. */
  takeCorrections(): readonly Candidate[] {
    const isTaken = ({ assertedBy, corrects, doubt }: Candidate) =>
      assertedBy === "user" && corrects === true && doubt === undefined;
    const taken = this.#open.filter(isTaken);
    this.#open = this.#open.filter((offer) => !isTaken(offer));
    return taken;
  }

  /** Looks through a turn that ended. What was remembered already is not offered. */
  async lookThrough(memory: Memory, turn: FinishedTurn): Promise<readonly Candidate[]> {
    const entries = turn.messages.flatMap(entriesOfMessage);
    const found = await findCandidates(entries, { cwd: turn.projectRoot });
    const told = entries.flatMap((entry) =>
      entry.kind === "call" && entry.tool.includes("mem") ? JSON.stringify(entry.input) : [],
    );
    const kept = comparableText(told.join("\n"));
    const offers: Candidate[] = [];
    for (const candidate of found) {
      if (candidate.kind === "files" || candidate.kind === "mistake" || offers.length === MOST)
        continue;
      const text = comparableText(candidate.content);
      if (kept.includes(text) || (await holds(memory, candidate.content, turn.signal))) continue;
      offers.push(candidate);
    }
    this.#open = offers;
    return offers;
  }
}

async function holds(memory: Memory, content: string, signal: AbortSignal): Promise<boolean> {
  if (!(await memory.isThere())) return false;
  const query = { query: content, k: 0, episode_k: 3, timeout_ms: 250 };
  const { episodes } = await memory.execute("recall", query, { signal });
  const text = comparableText(content);
  return episodes.some((episode) => comparableText(episode.content) === text);
}
