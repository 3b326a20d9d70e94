import { MODELS, type ModelProfile } from "./models.ts";

type Known = Omit<ModelProfile, "name">;

export function findModel(model: string): Known {
  const bare = bareName(model);
  const matching = MODELS.filter(({ name }) => name.test(bare));
  const known: { -readonly [Field in keyof Known]: Known[Field] } = {};
  for (const { name: _, ...said } of matching.toReversed()) Object.assign(known, said);
  return known;
}

/**
 * `vendor/model` names of gateways and `region.vendor.model` names of clouds without what stands
 * before the model; dots of versions are dashes.
 */
export function bareName(model: string): string {
  const own = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return own
    .replace(
      /^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|amazon|meta|mistral|deepseek|qwen)\./,
      "",
    )
    .replaceAll(".", "-");
}
