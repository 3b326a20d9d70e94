import {
  type Candidate,
  findMistakes,
  learnedLine,
  masked,
  mistake,
  type WrittenEdit,
} from "../../ingest/capture/index.ts";
import { comparableText } from "../../ingest/learning/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import { type Memory, MISTAKE } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { entriesOfMessage } from "./entries-of-message.ts";
import type { HeldCallsOptions } from "./held-calls.ts";

/** Keeps, at the end of a turn, what a person refused, corrected or took back, with their words. */
export class TurnMistakes {
  readonly #options: HeldCallsOptions;
  #written: readonly WrittenEdit[] = [];
  /** Edits that were taken back, until the person says what they want instead. */
  #undone: readonly WrittenEdit[] = [];

  constructor(options: HeldCallsOptions) {
    this.#options = options;
  }

  /** The person took back what was last written to these files. */
  takenBack(files: readonly string[]): void {
    this.#undone = this.#written.filter(
      ({ file, lines }) => files.includes(file) && lines.length > 0,
    );
    this.#written = this.#written.filter(({ file }) => !files.includes(file));
  }

  /** Of a turn that ended. A memory that cannot be written changes nothing for the person. */
  async keep(said: readonly ModelMessage[], typed: string): Promise<void> {
    const { memory, mayWrite, projectRoot, logger } = this.#options;
    const { mistakes, written } = findMistakes(
      said.flatMap(entriesOfMessage),
      projectRoot,
      this.#written,
    );
    this.#written = written;
    const undone = this.#undone.map(({ file, lines }) =>
      mistake({ how: "undone", file, wrote: [...lines], wanted: typed.slice(0, 400) }),
    );
    this.#undone = [];
    const found = [...mistakes, ...undone];
    if (memory === undefined || !mayWrite || found.length === 0) return;
    try {
      await this.#write(memory, found);
    } catch (error) {
      logger.warn(`What went wrong could not be kept: ${messageOf(error)}`);
    }
  }

  async #write(memory: Memory, found: readonly Candidate[]): Promise<void> {
    const { emit, threadId } = this.#options;
    const known = await knownTexts(memory);
    const all = await Promise.all(found.map((candidate) => masked(candidate)));
    const news = all.filter(({ content }) => !known.has(comparableText(content)));
    if (news.length === 0) return;
    const session = threadId();
    let change = "";
    const { results } = await memory.execute(
      "apply",
      { changeset: JSON.stringify(news.map((candidate) => opFor(candidate, session))) },
      {
        ...{ session, surface: "agent" },
        onChange: (made) => {
          change = made;
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

function opFor({ content, episodeType, entities, mistake: pair }: Candidate, session: string) {
  return {
    op: "remember",
    content,
    episode_type: episodeType,
    ...(entities.length > 0 && { entities }),
    ...(pair !== undefined && { labels: [`${MISTAKE}=${pair.how}`], metadata: { mistake: pair } }),
    source_type: "capture",
    asserted_by: "user",
    session,
  };
}
