import { isPlainObject, type JsonObject } from "../../shared/json.ts";
import { maskSecrets } from "../secrets/find-secrets.ts";
import type { DatedRecall } from "./store-recalls.ts";

const MAX_CHARACTERS = 1_000;

export async function maskRecall(recall: DatedRecall): Promise<DatedRecall> {
  const { question, asked } = recall;
  return {
    ...recall,
    question: question === undefined ? undefined : await maskText(question),
    asked: asked === undefined ? undefined : ((await maskValue(asked)) as JsonObject),
  };
}

async function maskText(text: string): Promise<string> {
  const full = await maskSecrets(text);
  return Array.from(full).slice(0, MAX_CHARACTERS).join("");
}

async function maskValue(value: unknown): Promise<unknown> {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return Promise.all(value.map(maskValue));
  if (!isPlainObject(value)) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([name, inner]) => [name, await maskValue(inner)] as const),
  );
  return Object.fromEntries(pairs);
}
