import type { streamText } from "ai";

/** How much a model may think before it answers. */
export const EFFORTS = ["off", "low", "medium", "high"] as const;

export type Effort = (typeof EFFORTS)[number];

type Options = NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;

/** Tokens of thought in the models that take a number. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  off: 0,
  low: 4_096,
  medium: 12_288,
  high: 32_768,
};

/** `thinking` with a number of tokens; models that cannot think refuse it, so only who asks for it gets it. */
export function anthropicEffort(effort: Effort | undefined): Options[string] {
  if (effort === undefined) return {};
  if (effort === "off") return { thinking: { type: "disabled" } };
  return { thinking: { type: "enabled", budgetTokens: BUDGETS[effort] } };
}

/** What it thought comes back as a summary, and enciphered, to be sent again. */
export function openAiEffort(effort: Effort | undefined): Options[string] {
  if (effort === undefined) return {};
  if (effort === "off") return { reasoningEffort: "none" };
  return { reasoningEffort: effort, reasoningSummary: "auto" };
}

/** From Gemini 3 on a level, before that a number of tokens. */
export function googleEffort(effort: Effort | undefined, model: string): Options[string] {
  if (effort === undefined) return {};
  const hasLevels = /gemini-(?!1|2)\d/.test(model);
  if (hasLevels) {
    const thinkingLevel = effort === "off" ? "low" : effort;
    return { thinkingConfig: { includeThoughts: effort !== "off", thinkingLevel } };
  }
  return {
    thinkingConfig: { includeThoughts: effort !== "off", thinkingBudget: BUDGETS[effort] },
  };
}

/** The field `reasoning_effort` of the chat-completions API. */
export function chatEffort(effort: Effort | undefined): Options[string] {
  if (effort === undefined) return {};
  return { reasoningEffort: effort === "off" ? "none" : effort };
}
