import type { streamText } from "ai";
import type { EffortForm } from "./profiles/effort-form.ts";

export const EFFORTS = ["off", "low", "medium", "high"] as const;

export type Effort = (typeof EFFORTS)[number];

type Options = NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>[string];

export interface RequestedEffort {
  readonly effort: Effort | undefined;
  readonly form: EffortForm | undefined;
}

const BUDGETS: Readonly<Record<Effort, number>> = {
  off: 0,
  low: 4_096,
  medium: 12_288,
  high: 32_768,
};

function chooseBudget(effort: Effort, form: EffortForm | undefined): number {
  const budget = BUDGETS[effort];
  if (form?.form !== "budget") return budget;
  return Math.max(form.minTokens ?? 0, Math.min(budget, form.maxTokens ?? budget));
}

function chooseLevel(effort: Effort, form: EffortForm | undefined): string {
  if (effort !== "off") return effort;
  return form?.form === "levels" ? form.off : "none";
}

/**
 * Sends `thinking` with a token budget or `adaptive` with a level, only if requested: models
 * without thinking reject both.
 */
export function messagesEffort({ effort, form }: RequestedEffort): Options {
  if (effort === undefined || form?.form === "none" || form?.form === "levels") return {};
  if (form?.form === "adaptive") {
    if (effort !== "off") return { thinking: { type: "adaptive" }, effort };
    return form.off === "disabled" ? { thinking: { type: "disabled" } } : { effort: "low" };
  }
  if (effort === "off") return { thinking: { type: "disabled" } };
  return { thinking: { type: "enabled", budgetTokens: chooseBudget(effort, form) } };
}

export function responsesEffort({ effort, form }: RequestedEffort): Options {
  if (effort === undefined) return { reasoningSummary: "auto" };
  if (form?.form === "none") return {};
  const reasoningEffort = chooseLevel(effort, form);
  return { reasoningEffort, ...(effort !== "off" && { reasoningSummary: "auto" }) };
}

export function geminiEffort({ effort, form }: RequestedEffort): Options {
  if (effort === undefined || form?.form === "none") return {};
  const includeThoughts = effort !== "off";
  if (form?.form === "budget") {
    return { thinkingConfig: { includeThoughts, thinkingBudget: chooseBudget(effort, form) } };
  }
  return { thinkingConfig: { includeThoughts, thinkingLevel: includeThoughts ? effort : "low" } };
}

export function chatEffort({ effort, form }: RequestedEffort): Options {
  if (effort === undefined || form?.form === "none") return {};
  return { reasoningEffort: chooseLevel(effort, form) };
}

export function converseEffort({ effort, form }: RequestedEffort): Options {
  if (effort === undefined || form?.form !== "levels") return {};
  return { reasoningConfig: { maxReasoningEffort: chooseLevel(effort, form) } };
}

export function routedEffort({ effort }: RequestedEffort): Options {
  if (effort === undefined) return {};
  return { reasoning: { effort: effort === "off" ? "none" : effort } };
}
