import { z } from "zod";

/** US dollars for a million tokens. */
export const priceSettings = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  /** Read from the provider's cache; default: as `input`. */
  cachedInput: z.number().min(0).optional(),
  /** Written into it; default: as `input`. */
  cacheWrite: z.number().min(0).optional(),
});

export type Price = z.output<typeof priceSettings>;

/** What was counted for one request; tokens. */
export interface CountedTokens {
  /** With those that were read from the cache or written into it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
}

const price = (input: number, output: number, cachedInput: number, cacheWrite = input): Price => ({
  input,
  output,
  cachedInput,
  cacheWrite,
});

/** By the beginning of the model's name, from the providers' price pages (late 2025). */
const PRICES: readonly (readonly [RegExp, Price])[] = [
  [/^claude-opus-4[-.]5/, price(5, 25, 0.5, 6.25)],
  [/^claude-(opus-4|4-opus)/, price(15, 75, 1.5, 18.75)],
  [/^claude-(sonnet-4|4-sonnet|3[-.]7-sonnet|3[-.]5-sonnet)/, price(3, 15, 0.3, 3.75)],
  [/^claude-haiku-4/, price(1, 5, 0.1, 1.25)],
  [/^claude-3[-.]5-haiku/, price(0.8, 4, 0.08, 1)],
  [/^gpt-5(\.1)?-mini|^gpt-5\.1-codex-mini/, price(0.25, 2, 0.025)],
  [/^gpt-5-nano/, price(0.05, 0.4, 0.005)],
  [/^gpt-5(\.1)?(-codex|-chat|$|-20)/, price(1.25, 10, 0.125)],
  [/^gpt-4\.1-mini/, price(0.4, 1.6, 0.1)],
  [/^gpt-4\.1-nano/, price(0.1, 0.4, 0.025)],
  [/^gpt-4\.1/, price(2, 8, 0.5)],
  [/^gpt-4o-mini/, price(0.15, 0.6, 0.075)],
  [/^gpt-4o/, price(2.5, 10, 1.25)],
  [/^o4-mini/, price(1.1, 4.4, 0.275)],
  [/^o3($|-20)/, price(2, 8, 0.5)],
  [/^gemini-3-pro/, price(2, 12, 0.2)],
  [/^gemini-2\.5-pro/, price(1.25, 10, 0.125)],
  [/^gemini-2\.5-flash-lite/, price(0.1, 0.4, 0.01)],
  [/^gemini-2\.5-flash/, price(0.3, 2.5, 0.03)],
  [/^deepseek-(chat|reasoner)/, price(0.28, 0.42, 0.028)],
];

const FREE: Price = { input: 0, output: 0 };
/** They run on the person's own machine. */
const OWN_MACHINE: readonly string[] = ["ollama", "lmstudio"];

export interface PriceQuestion {
  readonly provider: string;
  readonly model: string;
  /** From the config, by the model's name; wins. */
  readonly configured: Readonly<Record<string, Price>>;
}

/** Undefined when nobody knows. `vendor/model` names of gateways are looked up without the vendor. */
export function findPrice({ provider, model, configured }: PriceQuestion): Price | undefined {
  const own = configured[model];
  if (own !== undefined) return own;
  if (OWN_MACHINE.includes(provider)) return FREE;
  const bare = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return PRICES.find(([pattern]) => pattern.test(bare))?.[1];
}

/** US dollars. */
export function costOf(tokens: CountedTokens, { input, output, ...cache }: Price): number {
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
