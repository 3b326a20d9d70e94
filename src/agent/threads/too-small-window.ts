import type { ModelClient } from "../../llm/index.ts";

/** System prompt, tools and a few files take more than half of it. */
const SMALLEST = 32_000;

/**
 * What a person should know of a model on their own machine that runs with too little room; services
 * say by themselves when a request is too long, Ollama leaves its beginning out without a word.
 */
export function tooSmallWindow(
  { provider, model }: Pick<ModelClient, "provider" | "model">,
  window: number | undefined,
): string | undefined {
  if (provider !== "ollama" || window === undefined || window >= SMALLEST) return undefined;
  const tokens = window.toLocaleString("en");
  return `${model} runs with room for ${tokens} tokens, and forgets the beginning of what is longer; work on a project needs about 32,000. "contextWindow" (CAIRN_CONTEXT_WINDOW) asks for more, as far as the model and the memory of this machine allow.`;
}
