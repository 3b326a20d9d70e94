import type { Price } from "./profiles/find-model.ts";
import { findModel } from "./profiles/find-model.ts";
import { SERVICES, type ServiceName } from "./profiles/services.ts";

export interface CountedTokens {
  /** Includes cache reads and writes. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
}

const FREE_PRICE: Price = { input: 0, output: 0 };

export interface PriceRequest {
  readonly provider: ServiceName;
  readonly model: string;
  readonly configured: Readonly<Record<string, Price>>;
  /** From the refreshed table; takes precedence over bundled prices. */
  readonly published?: Price | undefined;
}

export function findPrice({
  provider,
  model,
  configured,
  published,
}: PriceRequest): Price | undefined {
  const own = configured[model];
  if (own !== undefined) return own;
  return SERVICES[provider].isFree === true ? FREE_PRICE : (published ?? findModel(model).price);
}

export function computeCost(tokens: CountedTokens, { input, output, ...cache }: Price): number {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = tokens;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const { cachedInput = input, cacheWrite = input } = cache;
  const sum =
    fresh * input +
    cachedTokens * cachedInput +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return sum / 1_000_000;
}
