import { expect, it } from "vitest";
import { maskSecrets } from "../../../src/memory/index.ts";
import { sampleLookalikes } from "./sample-lookalikes.ts";
import { sampleSecrets } from "./sample-secrets.ts";

const SEEDS = [1, 2, 3];

it.each(SEEDS)("finds at least 97 of 100 secrets of every kind, seed %i", async (seed) => {
  const samples = sampleSecrets(seed);
  expect(samples.length).toBeGreaterThanOrEqual(200);
  const missed: string[] = [];
  for (const { text, secret } of samples) {
    if ((await maskSecrets(text)).includes(secret)) missed.push(text);
  }
  expect(missed.length / samples.length, missed.join("\n")).toBeLessThanOrEqual(0.03);
});

it.each(SEEDS)("reports at most 2 of 100 other texts, seed %i", async (seed) => {
  const samples = sampleLookalikes(seed);
  expect(samples.length).toBeGreaterThanOrEqual(200);
  const taken: string[] = [];
  for (const text of samples) {
    const output = await maskSecrets(text);
    if (output !== text) taken.push(`${text} → ${output}`);
  }
  expect(taken.length / samples.length, taken.join("\n")).toBeLessThanOrEqual(0.02);
});

it("does not leak memory per text", async () => {
  const count = () => performance.getEntries().length;
  await maskSecrets("password of the first text, which loads the rules");
  const before = count();
  for (let text = 0; text < 20; text += 1) await maskSecrets(`password of text ${text}`);
  expect(count()).toBe(before);
});
