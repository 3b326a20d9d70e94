import { isPlainObject, type JsonObject } from "../../shared/json.ts";
import { maskSecrets } from "../secrets/find-secrets.ts";
import type { DatedRecall } from "./store-recalls.ts";

const MAX_CHARACTERS = 1_000;

export async function maskRecall(recall: DatedRecall): Promise<DatedRecall> {
  const { question, asked } = recall;
  return {
    ...recall,
    question: question === undefined ? undefined : await masked(question),
    asked: asked === undefined ? undefined : ((await maskedValue(asked)) as JsonObject),
  };
}

async function masked(text: string): Promise<string> {
  const full = await maskSecrets(text);
  return Array.from(full).slice(0, MAX_CHARACTERS).join("");
}

async function maskedValue(value: unknown): Promise<unknown> {
  if (typeof value === "string") return masked(value);
  if (Array.isArray(value)) return Promise.all(value.map(maskedValue));
  if (!isPlainObject(value)) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([name, inner]) => [name, await maskedValue(inner)] as const),
  );
  return Object.fromEntries(pairs);
}
