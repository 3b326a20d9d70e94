import {
  type Candidate,
  createMistake,
  EMPTY_STATE,
  findMistakes,
  findNewCandidates,
  findUpcomingMistakes,
  formatMistakes,
  learnedLine,
  maskCandidate,
  recordAvoided,
  recordRepeated,
  type StoredCandidates,
  storeCandidates,
  storedText,
  type TranscriptRecord,
  type WrittenEdit,
} from "../../ingest/capture/index.ts";
import { comparableText } from "../../ingest/learning/index.ts";
import { createPassages, learnFromSources, storeSource } from "../../ingest/sources/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import {
  type Memory,
  MISTAKE_LABEL,
  type MistakeRecord,
  matchesPart,
  parseQueryWords,
} from "../../memory/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { PermitCall } from "../loop/write-handover.ts";
import type { Permit } from "../permission/permission.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { HostServices } from "./host-services.ts";
import { Recollection } from "./recollection.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { createMessageEntries } from "./transcript.ts";

interface HeldCallsOptions {
  readonly memory: Memory | undefined;
  readonly mayWrite: boolean;
  readonly projectRoot: string;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
}

/** Stops a call, once per thread, that would repeat a known mistake. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  readonly #reported = new Map<string, "told" | "repeated">();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  before(permit: (call: PermitCall) => Promise<Permit>): (call: PermitCall) => Promise<Permit> {
    return async (call) => {
      const text = await this.#hold(call);
      return text === undefined ? permit(call) : { allowed: false, text };
    };
  }

  async #hold({ tool, input, signal }: PermitCall): Promise<string | undefined> {
    const { memory, projectRoot: cwd, logger } = this.#options;
    if (memory === undefined) return undefined;
    try {
      const call = { tool: tool.name, input };
      const ahead = await findUpcomingMistakes(memory, { call, cwd, signal });
      const news = ahead.filter(({ id }) => !this.#reported.has(id));
      if (news.length > 0) return await this.#report(memory, news);
      for (const { id } of ahead) await this.#repeat(memory, id);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn(`Known mistakes could not be looked up: ${messageOf(error)}`);
    }
    return undefined;
  }

  async #report(memory: Memory, news: readonly MistakeRecord[]): Promise<string> {
    const { emit, mayWrite, threadId } = this.#options;
    for (const { id } of news) {
      this.#reported.set(id, "told");
      if (mayWrite) await recordAvoided(memory, id, `cairn:${threadId()}`);
    }
    const memories = news.map(({ id, content }) => ({ id, text: content }));
    emit({ type: "status", phase: "memory", message: "held back: a known mistake", memories });
    return formatMistakes(news);
  }

  async #repeat(memory: Memory, id: string): Promise<void> {
    if (this.#reported.get(id) !== "told") return;
    this.#reported.set(id, "repeated");
    const { mayWrite, threadId } = this.#options;
    if (mayWrite) await recordRepeated(memory, id, `cairn:${threadId()}`);
  }
}

export const SESSION_CLIENT = "cairn";

interface StoredSessionOptions {
  readonly memory: Memory | undefined;
  readonly threadId: () => string;
  readonly projectRoot: string;
  readonly logger: Logger;
  readonly emit: (event: AgentEventBody) => void;
  readonly accepts: boolean;
}

export class StoredSession {
  readonly #options: StoredSessionOptions;
  /** Since the last learning; undefined if nothing is new. */
  #unlearned: string | undefined;

  constructor(options: StoredSessionOptions) {
    this.#options = options;
  }

  async store(messages: readonly ModelMessage[], at: string): Promise<void> {
    const { memory, threadId, projectRoot, logger } = this.#options;
    if (memory === undefined) return;
    const records = messages.map(
      (message, index): TranscriptRecord => ({
        id: `${at}/${index}`,
        at,
        entries: createMessageEntries(message),
      }),
    );
    const passages = createPassages(records, { cwd: projectRoot, now: at, before: 0 });
    const key = threadId();
    try {
      const source = { kind: SESSION_CLIENT, key, place: projectRoot, passages };
      const added = await storeSource(memory, source, { session: key });
      if (added > 0) this.#unlearned = key;
    } catch (error) {
      logger.warn(`The conversation could not be stored: ${messageOf(error)}`);
    }
  }

  async learn(): Promise<void> {
    const { memory, accepts, logger, emit } = this.#options;
    const key = this.#unlearned;
    if (memory === undefined || key === undefined) return;
    this.#unlearned = undefined;
    try {
      const { sources } = await memory.execute("list_sources", {
        kind: SESSION_CLIENT,
        key,
        limit: 1,
      });
      const [source] = sources;
      if (source === undefined) return;
      const { kept, changes } = await learnFromSources(memory, {
        accept: accepts ? "auto" : "ask",
        source: source.id,
        run: key,
      });
      const [change] = changes;
      if (kept.length === 0 || change === undefined) return;
      const memories = kept.map(({ id, content: text }) => ({ id, text }));
      const message = learnedLine(storedText(kept), change);
      emit({ type: "status", phase: "learned", message, memories });
    } catch (error) {
      logger.warn(`The learned memories could not be stored: ${messageOf(error)}`);
    }
  }
}

const MAX_ITEMS = 4;

interface OffersOptions {
  readonly memory: Memory | undefined;
  readonly mayWrite: boolean;
  readonly keepsCorrections: boolean;
  readonly projectRoot: string;
  readonly threadId: () => string;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
  /** Ids of items that the model had before. */
  readonly shown: () => readonly string[];
}

class Offers {
  readonly #options: OffersOptions;
  #open: readonly Candidate[] = [];
  #messages: typeof EMPTY_STATE.said = [];

  constructor(options: OffersOptions) {
    this.#options = options;
  }

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
      logger.warn(`Memory candidates could not be determined: ${messageOf(error)}`);
    }
  }

  /** Stores candidates by number, from 1, or all. Undefined if none is offered. */
  async storeOffers(
    numbers: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<StoredCandidates | undefined> {
    const { memory } = this.#options;
    const chosen = this.#open.filter((_, index) => numbers?.includes(index + 1) ?? true);
    if (memory === undefined || chosen.length === 0) return undefined;
    const candidates = chosen.map((offer) => ({ ...offer, doubt: undefined }));
    const stored = await this.#write(memory, { candidates, shown: [] }, signal);
    this.#remove(chosen);
    return stored;
  }

  async #keepCorrections(memory: Memory, signal: AbortSignal): Promise<void> {
    const candidates = this.#open.filter(
      ({ assertedBy, corrects, doubt }) =>
        assertedBy === "user" && corrects === true && doubt === undefined,
    );
    const shownIds = this.#options.shown();
    const { stored, change } = await this.#write(memory, { candidates, shown: shownIds }, signal);
    this.#remove(candidates);
    if (change === undefined || stored.length === 0) return;
    const memories = stored.map(({ id, content: text }) => ({ id, text }));
    const message = learnedLine(storedText(stored), change);
    this.#options.emit({ type: "status", phase: "learned", message, memories });
  }

  #write(
    memory: Memory,
    what: { readonly candidates: readonly Candidate[]; readonly shown: readonly string[] },
    signal: AbortSignal,
  ): Promise<StoredCandidates> {
    const session = this.#options.threadId();
    const call = { session, surface: "agent", signal } as const;
    return storeCandidates(memory, {
      ...what,
      client: SESSION_CLIENT,
      session,
      source: session,
      call,
    });
  }

  /** Only stored candidates: those that failed stay offered. */
  #remove(retained: readonly Candidate[]): void {
    this.#open = this.#open.filter((offer) => !retained.includes(offer));
  }

  async #worthKeeping(
    memory: Memory,
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const entries = messages.flatMap(createMessageEntries);
    const context = { cwd: this.#options.projectRoot };
    const soFar = { ...EMPTY_STATE, said: this.#messages };
    const { candidates: found, soFar: next } = await findNewCandidates(entries, {
      context,
      soFar,
    });
    this.#messages = next.said;
    const reported = entries.flatMap((entry) =>
      entry.kind === "call" && entry.tool.includes("mem") ? JSON.stringify(entry.input) : [],
    );
    const stored = comparableText(reported.join("\n"));
    const offers: Candidate[] = [];
    for (const candidate of found) {
      if (candidate.onlyReplaces === true && candidate.corrects !== true) continue;
      if (candidate.kind === "files" || candidate.kind === "mistake" || offers.length === MAX_ITEMS)
        continue;
      const text = comparableText(candidate.content);
      if (stored.includes(text) || (await containsText(memory, candidate.content, signal)))
        continue;
      offers.push(candidate);
    }
    return offers;
  }
}

async function containsText(
  memory: Memory,
  content: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await memory.isThere())) return false;
  const query = { query: content, k: 0, episode_k: 3, timeout_ms: 250 };
  const { episodes } = await memory.execute("recall", query, { signal });
  const text = comparableText(content);
  return episodes.some((episode) => comparableText(episode.content) === text);
}

class TurnMistakes {
  readonly #options: HeldCallsOptions;
  #written: readonly WrittenEdit[] = [];
  #undone: readonly WrittenEdit[] = [];
  /** The user's message of the last turn that edited each file. */
  readonly #prompts = new Map<string, string>();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  takenBack(files: readonly string[]): void {
    this.#undone = this.#written.filter(
      ({ file, lines }) => files.includes(file) && lines.length > 0,
    );
    this.#written = this.#written.filter(({ file }) => !files.includes(file));
  }

  async store(messages: readonly ModelMessage[], typed: string): Promise<void> {
    const { memory, mayWrite, projectRoot, logger } = this.#options;
    const { mistakes, written } = findMistakes(
      messages.flatMap(createMessageEntries),
      projectRoot,
      this.#written,
    );
    this.#written = written;
    const edited = new Set(written.flatMap(({ file, said }) => (said === "" ? [file] : [])));
    const undone = this.#undone
      .filter(({ file }) => edited.has(file) || this.#concerns(file, typed))
      .map(({ file, lines }) =>
        createMistake({ how: "undone", file, wrote: [...lines], wanted: typed.slice(0, 400) }),
      );
    this.#undone = [];
    for (const file of edited) this.#prompts.set(file, typed);
    const found = [...mistakes, ...undone];
    if (memory === undefined || !mayWrite || found.length === 0) return;
    try {
      await this.#write(memory, found);
    } catch (error) {
      logger.warn(`The mistake could not be stored: ${messageOf(error)}`);
    }
  }

  /** True if a message after an undo objects, or shares a word with the prompt or the file's name. */
  #concerns(file: string, typed: string): boolean {
    if (matchesPart("objections", typed.trim())) return true;
    const words = new Set(parseQueryWords(`${this.#prompts.get(file) ?? ""} ${file}`));
    return parseQueryWords(typed).some((word) => words.has(word));
  }

  async #write(memory: Memory, found: readonly Candidate[]): Promise<void> {
    const { emit, threadId } = this.#options;
    const known = await knownTexts(memory);
    const all = await Promise.all(found.map((candidate) => maskCandidate(candidate)));
    const news = all.filter(({ content }) => !known.has(comparableText(content)));
    if (news.length === 0) return;
    const session = threadId();
    let change = "";
    const { results } = await memory.execute(
      "apply",
      { changeset: JSON.stringify(news.map((candidate) => createOp(candidate, session))) },
      {
        ...{ session, surface: "agent" },
        onChange: (created) => {
          change = created;
        },
      },
    );
    const memories = results.flatMap(({ id }, index) =>
      id === undefined ? [] : [{ id, text: news[index]?.content ?? "" }],
    );
    const text = memories.map((one) => one.text).join("; ");
    emit({ type: "status", phase: "learned", message: learnedLine(text, change), memories });
  }
}

async function knownTexts(memory: Memory): Promise<ReadonlySet<string>> {
  if (!(await memory.isThere())) return new Set();
  const { mistakes } = await memory.execute("mistakes", { limit: 500 });
  return new Set(mistakes.map(({ content }) => comparableText(content)));
}

function createOp({ content, episodeType, entities, mistake: pair }: Candidate, session: string) {
  return {
    op: "remember",
    content,
    episode_type: episodeType,
    ...(entities.length > 0 && { entities }),
    ...(pair !== undefined && {
      labels: [`${MISTAKE_LABEL}=${pair.how}`],
      metadata: { mistake: pair },
    }),
    source_type: "capture",
    asserted_by: "user",
    session,
  };
}

interface ThreadMemoryOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly emit: (event: AgentEventBody) => void;
  readonly shownAtStart: () => ReadonlySet<string>;
}

export class ThreadMemory {
  readonly recollection: Recollection;
  readonly heldCalls: HeldCalls;
  readonly offers: Offers;
  readonly storedSession: StoredSession;
  readonly mistakes: TurnMistakes;
  readonly #services: HostServices;

  constructor({ services, record, emit, shownAtStart }: ThreadMemoryOptions) {
    const { memory, logger, projectRoot, keepsSessions, keepsCorrections, settings } = services;
    const threadId = () => record.state.threadId;
    const mayWrite = settings.memory === "on";
    const shared = { memory, mayWrite, projectRoot, threadId, emit, logger };
    this.#services = services;
    this.recollection = new Recollection({
      ...{ memory, logger, emit, shownIds: shownAtStart },
      ownSource: () => ({ kind: SESSION_CLIENT, key: threadId() }),
    });
    this.heldCalls = new HeldCalls(shared);
    this.mistakes = new TurnMistakes(shared);
    const shown = () => this.recollection.shown;
    this.offers = new Offers({ ...shared, keepsCorrections, shown });
    this.storedSession = new StoredSession({
      memory: keepsSessions ? memory : undefined,
      ...{ threadId, projectRoot, logger, emit, accepts: keepsCorrections },
    });
  }

  /** Stores and learns from a turn that the user began with `typed`. */
  async learnFrom(
    messages: readonly ModelMessage[],
    typed: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.storedSession.store(messages, toTimestamp(this.#services.clock.now()));
    await this.mistakes.store(messages, typed);
    await this.offers.make(messages, signal);
  }
}
