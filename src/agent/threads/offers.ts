import {
  type Candidate,
  type KeptCandidates,
  keepCandidates,
  keptText,
  learnedLine,
  lookThrough,
  NOTHING_SO_FAR,
} from "../../ingest/capture/index.ts";
import { comparableText } from "../../ingest/learning/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { entriesOfMessage } from "./entries-of-message.ts";
import { OWN_SESSIONS } from "./kept-session.ts";

/** More would be a form to fill in. */
const MOST = 4;

export interface OffersOptions {
  /** Undefined where nothing may be read of it. */
  readonly memory: Memory | undefined;
  readonly mayWrite: boolean;
  /** What a person puts right takes effect without being asked about. */
  readonly keepsCorrections: boolean;
  readonly projectRoot: string;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
  /** Ids of what the model had before it. */
  readonly shown: () => readonly string[];
}

/** What a turn brought that a later session may want to know, until somebody keeps it. */
export class Offers {
  readonly #options: OffersOptions;
  #open: readonly Candidate[] = [];
  /** What was said in the turns before: a yes to it is heard. */
  #said: typeof NOTHING_SO_FAR.said = [];

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** Looks through a turn that ended, keeps what was put right, and offers the rest. */
  async make(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void> {
    const { memory, mayWrite, emit, keepsCorrections, logger } = this.#options;
    if (memory === undefined || !mayWrite) return;
    try {
      this.#open = await this.#worthKeeping(memory, messages, signal);
      if (keepsCorrections) await this.#keepCorrections(memory, signal);
      if (this.#open.length === 0) return;
      const memories = this.#open.map(({ content }, at) => ({ id: `${at + 1}`, text: content }));
      emit({ type: "status", phase: "offer", message: "Worth keeping? /keep", memories });
    } catch (error) {
      signal.throwIfAborted();
      logger.warn(`What to keep could not be found out: ${messageOf(error)}`);
    }
  }

  /** Keeps those numbered, from 1; all without numbers. Undefined where none of them is offered. */
  async keep(
    numbers: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<KeptCandidates | undefined> {
    const { memory } = this.#options;
    const chosen = this.#open.filter((_, index) => numbers?.includes(index + 1) ?? true);
    if (memory === undefined || chosen.length === 0) return undefined;
    // Who keeps it has no doubt, and means it as it stands, whatever was shown meanwhile.
    const candidates = chosen.map((offer) => ({ ...offer, doubt: undefined }));
    const kept = await this.#write(memory, { candidates, shown: [] }, signal);
    this.#remove(chosen);
    return kept;
  }

  /** What a person puts right takes effect at once, and is taken back as one change. */
  async #keepCorrections(memory: Memory, signal: AbortSignal): Promise<void> {
    const candidates = this.#open.filter(
      ({ assertedBy, corrects, doubt }) =>
        assertedBy === "user" && corrects === true && doubt === undefined,
    );
    const shown = this.#options.shown();
    const { kept, change } = await this.#write(memory, { candidates, shown }, signal);
    this.#remove(candidates);
    if (change === undefined || kept.length === 0) return;
    const memories = kept.map(({ id, content: text }) => ({ id, text }));
    const message = learnedLine(keptText(kept), change);
    this.#options.emit({ type: "status", phase: "learned", message, memories });
  }

  #write(
    memory: Memory,
    what: { readonly candidates: readonly Candidate[]; readonly shown: readonly string[] },
    signal: AbortSignal,
  ): Promise<KeptCandidates> {
    const session = this.#options.threadId();
    const call = { session, surface: "agent", signal } as const;
    return keepCandidates(memory, {
      ...what,
      client: OWN_SESSIONS,
      session,
      source: session,
      call,
    });
  }

  /** Only once they are stored: what could not be written is still offered. */
  #remove(kept: readonly Candidate[]): void {
    this.#open = this.#open.filter((offer) => !kept.includes(offer));
  }

  /** What was remembered already is not offered. */
  async #worthKeeping(
    memory: Memory,
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const entries = messages.flatMap(entriesOfMessage);
    const place = { cwd: this.#options.projectRoot };
    const soFar = { ...NOTHING_SO_FAR, said: this.#said };
    const { candidates: found, soFar: next } = await lookThrough(entries, { place, soFar });
    this.#said = next.said;
    const told = entries.flatMap((entry) =>
      entry.kind === "call" && entry.tool.includes("mem") ? JSON.stringify(entry.input) : [],
    );
    const kept = comparableText(told.join("\n"));
    const offers: Candidate[] = [];
    for (const candidate of found) {
      if (candidate.onlyReplaces === true && candidate.corrects !== true) continue;
      if (candidate.kind === "files" || candidate.kind === "mistake" || offers.length === MOST)
        continue;
      const text = comparableText(candidate.content);
      if (kept.includes(text) || (await holds(memory, candidate.content, signal))) continue;
      offers.push(candidate);
    }
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
