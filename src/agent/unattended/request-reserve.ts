import { costOf, type ModelClient } from "../../llm/index.ts";
import { tokensOfMessages, tokensOfText } from "../loop/estimate-tokens.ts";
import type { CountedUse } from "./night-entry.ts";

/** Answers are hardly ever longer, thinking included. */
const LONGEST_ANSWER = 32_000;
/** The estimate of what is sent may be too low by so much. */
const MARGIN = 1.25;

type Asked = Parameters<ModelClient["answer"]>[0];

/** What a request may cost at the most, as far as anybody knows before it is sent. */
export function reserveFor(client: ModelClient, { system, messages, tools }: Asked): CountedUse {
  const sent =
    tokensOfText(system) + tokensOfMessages(messages) + tokensOfText(JSON.stringify(tools));
  return countedUse(client, {
    inputTokens: Math.ceil(sent * MARGIN),
    outputTokens: LONGEST_ANSWER,
  });
}

/** Of a request that broke off after something was said. */
export function usedUntilCut(client: ModelClient, asked: Asked, said: string): CountedUse {
  const { inputTokens } = reserveFor(client, asked);
  return countedUse(client, { inputTokens, outputTokens: tokensOfText(said) });
}

export function countedUse(
  { price }: Pick<ModelClient, "price">,
  usage: Parameters<typeof costOf>[0],
): CountedUse {
  const { inputTokens, outputTokens } = usage;
  return { inputTokens, outputTokens, dollars: price === undefined ? null : costOf(usage, price) };
}
