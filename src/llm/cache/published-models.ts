import { z } from "zod";
import { baseModelName, type Price, priceSettings } from "../profiles/find-model.ts";

/** Published model data; never an address, header or command. */
export const publishedModel = z.strictObject({
  price: priceSettings.optional(),
  window: z.number().int().min(1_000).max(100_000_000).optional(),
  sees: z.boolean().optional(),
});

export type PublishedModel = z.output<typeof publishedModel>;

export const publishedModels = z.record(z.string(), publishedModel);

export type PublishedModels = z.output<typeof publishedModels>;

const dollars = z.number().min(0).max(100_000);

/** The models.dev format. Unknown fields are ignored and invalid models skipped. */
const entry = z.object({
  cost: z
    .object({
      input: dollars,
      output: dollars,
      cache_read: dollars.optional(),
      cache_write: dollars.optional(),
    })
    .optional(),
  limit: z.object({ context: z.number() }).optional(),
  modalities: z.object({ input: z.array(z.string()) }).optional(),
});

const table = z.record(z.string(), z.object({ models: z.record(z.string(), z.unknown()) }));

const MAX_MODELS = 2_000;
const MAX_NAME_LENGTH = 200;

export function readPublished(text: string, service: string): PublishedModels {
  const all = table.parse(JSON.parse(text));
  const models = Object.hasOwn(all, service) ? all[service]?.models : undefined;
  const found = Object.entries(models ?? {}).flatMap(([name, value]) => {
    const read = entry.safeParse(value);
    if (!read.success || name.length > MAX_NAME_LENGTH) return [];
    const model = publishedModel.safeParse(toModelProfile(read.data));
    return model.success ? [[name.toLowerCase(), model.data] as const] : [];
  });
  return Object.fromEntries(found.slice(0, MAX_MODELS));
}

function toModelProfile({ cost, limit, modalities }: z.output<typeof entry>): object {
  return {
    ...(cost !== undefined && { price: convertPrice(cost) }),
    ...(limit !== undefined && limit.context > 0 && { window: limit.context }),
    ...(modalities !== undefined && { sees: modalities.input.includes("image") }),
  };
}

function convertPrice(cost: NonNullable<z.output<typeof entry>["cost"]>): Price {
  const { input, output, cache_read: cachedInput, cache_write: cacheWrite } = cost;
  return {
    ...{ input, output },
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

export function findPublished(models: PublishedModels, model: string): PublishedModel | undefined {
  const name = model.toLowerCase();
  if (Object.hasOwn(models, name)) return models[name];
  const bare = baseModelName(model);
  return Object.entries(models).find(([known]) => baseModelName(known) === bare)?.[1];
}
