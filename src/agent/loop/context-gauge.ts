import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { Tool } from "../tools/define-tool.ts";

/** English prose has about four, code and JSON about three. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Estimated tokens of an average image; the length of its base64 text does not indicate them. */
const TOKENS_PER_IMAGE = 1_600;
const TOKENS_PER_MESSAGE = 8;

export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function estimateMessagesTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

function estimateMessageTokens({ content }: ModelMessage): number {
  if (typeof content === "string") return estimateTextTokens(content) + TOKENS_PER_MESSAGE;
  let images = 0;
  const text = JSON.stringify(content, (_key, value: unknown) => {
    if (!isImage(value)) return value;
    images += 1;
    return undefined;
  });
  return estimateTextTokens(text) + images * TOKENS_PER_IMAGE + TOKENS_PER_MESSAGE;
}

function isImage(part: unknown): boolean {
  return isPlainObject(part) && (part.type === "image" || part.type === "image-data");
}

const DEFAULT_WINDOW_TOKENS = 128_000;
const TOKENS_PER_TOOL = 200;

interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface PlannedRequest {
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly history: { readonly messages: readonly ModelMessage[] };
}

export class ContextGauge {
  window: number | undefined;
  #counted = 0;
  #covered = 0;

  record(usage: TokenCount, messages: number): void {
    if (usage.inputTokens === 0) return;
    this.#counted = usage.inputTokens + usage.outputTokens;
    this.#covered = messages;
  }

  reset(): void {
    this.#counted = 0;
    this.#covered = 0;
  }

  get size(): number {
    return this.window ?? DEFAULT_WINDOW_TOKENS;
  }

  usedFraction(request: PlannedRequest): number {
    return Math.min(1, this.#tokens(request) / this.size);
  }

  isFull(request: PlannedRequest, threshold: number): boolean {
    return this.#tokens(request) >= threshold * this.size;
  }

  #tokens({ system, tools, history }: PlannedRequest): number {
    const { messages } = history;
    if (this.#counted > 0 && this.#covered <= messages.length) {
      return this.#counted + estimateMessagesTokens(messages.slice(this.#covered));
    }
    return (
      estimateTextTokens(system) + TOKENS_PER_TOOL * tools.length + estimateMessagesTokens(messages)
    );
  }
}
