import { z } from "zod";
import { type EffortForm, LEVELS_FROM_LOW, LEVELS_WITH_NONE } from "./effort-form.ts";

/** US dollars per million tokens. */
export const priceSettings = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  /** Cache reads; default: `input`. */
  cachedInput: z.number().min(0).optional(),
  /** Cache writes; default: `input`. */
  cacheWrite: z.number().min(0).optional(),
});

export type Price = z.output<typeof priceSettings>;

interface ModelProfile {
  /** Matches the model name without vendor, in lowercase with `-` for `.`. */
  readonly name: RegExp;
  readonly window?: number;
  readonly price?: Price;
  readonly acceptsImages?: boolean;
  readonly effort?: EffortForm;
}

const TOKENS_PER_PRICE = 1_000_000;
const BUDGET_EFFORT: EffortForm = { form: "budget" };
const ADAPTIVE_EFFORT: EffortForm = { form: "adaptive", off: "disabled" };
const ALWAYS_ADAPTIVE_EFFORT: EffortForm = { form: "adaptive", off: "low" };
const MINIMAL_EFFORT: EffortForm = { form: "levels", off: "minimal" };

const price = (input: number, output: number, cachedInput: number, cacheWrite = input): Price => ({
  ...{ input, output, cachedInput, cacheWrite },
});

/** Date of the last check against the vendors' pages. */
export const PRICES_CHECKED_AT = "2026-11-23";

const MODELS: readonly ModelProfile[] = [
  { name: /^claude-fable-5/, price: price(10, 50, 1, 12.5), effort: ALWAYS_ADAPTIVE_EFFORT },
  { name: /^claude-opus-5-5/, price: price(4, 20, 0.4, 5), effort: ALWAYS_ADAPTIVE_EFFORT },
  { name: /^claude-sonnet-5-5/, effort: ALWAYS_ADAPTIVE_EFFORT },
  { name: /^claude-opus-5|^claude-opus-4-[678]/, effort: ADAPTIVE_EFFORT },
  { name: /^claude-(opus-5|opus-4-[5678])/, price: price(5, 25, 0.5, 6.25) },
  { name: /^claude-sonnet-5/, price: price(2, 10, 0.2, 2.5), effort: ADAPTIVE_EFFORT },
  { name: /^claude-haiku-5/, effort: ADAPTIVE_EFFORT },
  { name: /^claude-sonnet-4-6/, effort: ADAPTIVE_EFFORT },
  // Its output limit, which includes reasoning, is 32 000 tokens.
  { name: /^claude-(opus-4|4-opus)($|-1|-2|@)/, effort: { form: "budget", maxTokens: 24_000 } },
  { name: /^claude-(opus-4|4-opus)/, price: price(15, 75, 1.5, 18.75) },
  { name: /^claude-(sonnet-4|4-sonnet|3-[57]-sonnet)/, price: price(3, 15, 0.3, 3.75) },
  { name: /^claude-haiku-4/, price: price(1, 5, 0.1, 1.25) },
  { name: /^claude-3-5-haiku/, price: price(0.8, 4, 0.08, 1) },
  { name: /^claude-(fable-5|(opus|sonnet|haiku)-5|opus-4-8)/, window: TOKENS_PER_PRICE },
  { name: /^claude-/, window: 200_000, acceptsImages: true, effort: BUDGET_EFFORT },

  { name: /^gpt-6(-\d)?-astra/, price: price(10, 50, 1, 12.5) },
  { name: /^gpt-6-[12]-sol/, price: price(2, 10, 0.1, 2.5) },
  { name: /^gpt-6-sol/, price: price(2, 10, 0.2, 2.5), effort: LEVELS_WITH_NONE },
  { name: /^gpt-6-luna|^gpt-6-1-terra/, effort: LEVELS_WITH_NONE },
  { name: /^gpt-6/, window: 1_050_000, acceptsImages: true, effort: LEVELS_FROM_LOW },
  { name: /^gpt-5-5-pro/, price: price(30, 180, 30) },
  { name: /^gpt-5-5/, price: price(5, 30, 0.5), window: 1_050_000 },
  { name: /^gpt-5(-1)?-mini|^gpt-5-1-codex-mini/, price: price(0.25, 2, 0.025) },
  { name: /^gpt-5-nano/, price: price(0.05, 0.4, 0.005) },
  { name: /^gpt-5(-1)?(-codex|-chat|$|-20)/, price: price(1.25, 10, 0.125) },
  { name: /^gpt-5.*chat/, window: 128_000 },
  {
    name: /^gpt-5(-20|-mini|-nano|-codex|-pro|$)/,
    window: 400_000,
    acceptsImages: true,
    effort: MINIMAL_EFFORT,
  },
  { name: /^gpt-5/, window: 400_000, acceptsImages: true, effort: LEVELS_WITH_NONE },
  { name: /^gpt-4-1-mini/, price: price(0.4, 1.6, 0.1) },
  { name: /^gpt-4-1-nano/, price: price(0.1, 0.4, 0.025) },
  { name: /^gpt-4-1/, price: price(2, 8, 0.5), window: 1_047_576, acceptsImages: true },
  { name: /^gpt-4o-mini/, price: price(0.15, 0.6, 0.075) },
  { name: /^gpt-4o/, price: price(2.5, 10, 1.25), window: 128_000, acceptsImages: true },
  { name: /^gpt-4-turbo/, window: 128_000, acceptsImages: true },
  { name: /^chatgpt-/, acceptsImages: true },
  { name: /^gpt-oss/, window: 131_072, effort: LEVELS_FROM_LOW },
  { name: /^o4-mini/, price: price(1.1, 4.4, 0.275) },
  { name: /^o3($|-20)/, price: price(2, 8, 0.5) },
  { name: /^(o1|o3|o4-mini)($|-20|-pro)/, acceptsImages: true },
  { name: /^o[134](-|$)|^codex-mini/, window: 200_000, effort: LEVELS_FROM_LOW },

  // ai.google.dev: pricing, thinking
  // Promotional price through 2026; the regular price is twice as much.
  { name: /^gemini-3-8-flash/, price: price(0.75, 3.75, 0.075) },
  { name: /^gemini-3(-1)?-pro/, price: price(2, 12, 0.2) },
  { name: /^gemini-2-5-pro/, price: price(1.25, 10, 0.125) },
  { name: /^gemini-2-5-flash-lite/, price: price(0.1, 0.4, 0.01) },
  { name: /^gemini-2-5-flash/, price: price(0.3, 2.5, 0.03) },
  { name: /^gemini-1-5-pro/, window: 2_097_152 },
  { name: /^gemini-2-5-pro/, effort: { form: "budget", minTokens: 128 } },
  { name: /^gemini-2-5-flash/, effort: { form: "budget", maxTokens: 24_576 } },
  { name: /^gemini-[12]/, window: 1_048_576, acceptsImages: true, effort: BUDGET_EFFORT },
  { name: /^gemini-/, window: 1_048_576, acceptsImages: true, effort: LEVELS_FROM_LOW },

  { name: /^deepseek-(chat|reasoner)/, price: price(0.28, 0.42, 0.028) },
  { name: /^deepseek-/, window: 128_000 },
  { name: /^qwen3-coder/, window: 262_144 },
  { name: /^mistral-(small|medium|large)-(latest|3|25|26)/, acceptsImages: true },
  { name: /^(devstral|mistral|codestral|ministral)/, window: 128_000 },
  { name: /^kimi-k2/, window: 262_144 },
  { name: /^glm-[\d-]+v/, acceptsImages: true },
  { name: /^glm-4-[67]/, window: 200_000 },
  { name: /^grok-4/, window: 256_000, acceptsImages: true },
  { name: /^gemma-?3|pixtral|vision|llava|moondream|minicpm-v|llama-?4/, acceptsImages: true },
  { name: /(^|[^a-z])vl($|[^a-z])/, acceptsImages: true },
];

type KnownModel = Omit<ModelProfile, "name">;

export function findModel(model: string): KnownModel {
  const bare = baseModelName(model);
  const matching = MODELS.filter(({ name }) => name.test(bare));
  const known: { -readonly [Field in keyof KnownModel]: KnownModel[Field] } = {};
  for (const { name: _, ...properties } of matching.toReversed()) Object.assign(known, properties);
  return known;
}

/** Strips the vendor and region from gateway and cloud names and replaces dots with dashes. */
export function baseModelName(model: string): string {
  const own = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return own
    .replace(
      /^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|amazon|meta|mistral|deepseek|qwen)\./,
      "",
    )
    .replaceAll(".", "-");
}
