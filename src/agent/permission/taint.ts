import type { CallToJudge } from "./call-to-judge.ts";
import type { Effect } from "./permission-types.ts";

/**
 * What of others each turn has read: pages, answers of servers, files outside of the project, what a
 * command fetched. From then on it may follow the words of others.
 */
export class Taint {
  readonly #read = new Map<string, Set<string>>();
  /** Threads that have read words of others in any turn: those words stay in the conversation. */
  readonly #ever = new Set<string>();

  /** A turn of the person's begins; subagents go on in the turn that called them. */
  begin(threadId: string): void {
    this.#read.delete(threadId);
  }

  /** After a call that was allowed. */
  add(
    threadId: string,
    { tool, input }: Pick<CallToJudge, "tool" | "input">,
    effects: readonly Effect[],
  ): void {
    const sources = (tool.uses?.(input) ?? []).flatMap((touch) => {
      if (touch.kind === "host") return [touch.host];
      return touch.kind === "unknown" && touch.version !== undefined ? [tool.name] : [];
    });
    const further = effects.flatMap(({ isOutside, needsNetwork, subject, kind }) => {
      if (isOutside === true) return [subject];
      return needsNetwork === true && kind === undefined ? ["the network"] : [];
    });
    if (sources.length + further.length === 0) return;
    const read = this.#read.get(threadId) ?? new Set();
    for (const source of [...sources, ...further]) read.add(source);
    this.#read.set(threadId, read);
    this.#ever.add(threadId);
  }

  /** Whether any turn of the thread has read words of others. */
  hasEver(threadId: string): boolean {
    return this.#ever.has(threadId);
  }

  /** `example.org and mcp__docs__find`; undefined: nothing of others was read. */
  of(threadId: string): string | undefined {
    const read = [...(this.#read.get(threadId) ?? [])];
    if (read.length === 0) return undefined;
    const shown =
      read.length > MOST ? [...read.slice(0, MOST), `${read.length - MOST} more`] : read;
    return shown.join(", ").replace(/, (?=[^,]*$)/, " and ");
  }
}

const MOST = 3;
