import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { Tool } from "../tools/define-tool.ts";

/** English prose has about four, code and JSON about three. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Estimated tokens of an average image; the length of its base64 text does not indicate them. */
const PER_IMAGE = 1_600;
const PER_MESSAGE = 8;

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function tokensOfMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage({ content }: ModelMessage): number {
  if (typeof content === "string") return tokensOfText(content) + PER_MESSAGE;
  let images = 0;
  const text = JSON.stringify(content, (_key, value: unknown) => {
    if (!isImage(value)) return value;
    images += 1;
    return undefined;
  });
  return tokensOfText(text) + images * PER_IMAGE + PER_MESSAGE;
}

function isImage(part: unknown): boolean {
  return isPlainObject(part) && (part.type === "image" || part.type === "image-data");
}

const ASSUMED_WINDOW = 128_000;
const PER_TOOL = 200;

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
    return this.window ?? ASSUMED_WINDOW;
  }

  share(request: PlannedRequest): number {
    return Math.min(1, this.#tokens(request) / this.size);
  }

  isFull(request: PlannedRequest, threshold: number): boolean {
    return this.#tokens(request) >= threshold * this.size;
  }

  #tokens({ system, tools, history }: PlannedRequest): number {
    const { messages } = history;
    if (this.#counted > 0 && this.#covered <= messages.length) {
      return this.#counted + tokensOfMessages(messages.slice(this.#covered));
    }
    return tokensOfText(system) + PER_TOOL * tools.length + tokensOfMessages(messages);
  }
}
