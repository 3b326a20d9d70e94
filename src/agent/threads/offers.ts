import { type Candidate, comparableText, findCandidates } from "../../capture/index.ts";
import { isPlainObject } from "../../kernel/json.ts";
import type { ModelMessage } from "../../llm/index.ts";
import type { Memory } from "../../memory/index.ts";
import { saidText } from "../loop/said-text.ts";

type TranscriptEntries = Parameters<typeof findCandidates>[0];

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

  /** Looks through a turn that ended. What was remembered already is not offered. */
  async lookThrough(memory: Memory, turn: FinishedTurn): Promise<readonly Candidate[]> {
    const entries = turn.messages.flatMap(entriesOf);
    const found = await findCandidates(entries, { cwd: turn.projectRoot });
    const told = entries.flatMap((entry) =>
      entry.kind === "call" && entry.tool.includes("mem") ? JSON.stringify(entry.input) : [],
    );
    const kept = comparableText(told.join("\n"));
    const offers: Candidate[] = [];
    for (const candidate of found) {
      if (candidate.kind === "files" || offers.length === MOST) continue;
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

function entriesOf(message: ModelMessage): TranscriptEntries {
  if (message.role === "user") return [{ kind: "said", by: "user", text: saidText(message) }];
  if (message.role === "assistant") {
    if (typeof message.content === "string") {
      return [{ kind: "said", by: "assistant", text: message.content }];
    }
    return message.content.flatMap((part): TranscriptEntries => {
      if (part.type === "text") return [{ kind: "said", by: "assistant", text: part.text }];
      if (part.type !== "tool-call") return [];
      const input = isPlainObject(part.input) ? part.input : {};
      return [{ kind: "call", id: part.toolCallId, tool: part.toolName, input }];
    });
  }
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): TranscriptEntries => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    const text = output.type === "text" || output.type === "error-text" ? output.value : "";
    return [{ kind: "result", id: part.toolCallId, text, failed: output.type === "error-text" }];
  });
}
