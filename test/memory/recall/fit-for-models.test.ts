import { expect, it } from "vitest";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const SENTENCES = ["Tea at four", "Tea without milk", "Tea in the garden", "Tea with Ada"];

async function asked(test: TestMemory, max_chars: number) {
  const input = { query: "tea", episode_k: 9, max_chars };
  const found = await test.memory.execute("recall", input, { surface: "mcp" });
  return { found, text: test.memory.operations.get("recall")?.present?.(found, input).text ?? "" };
}

const lengthOf = (text: string): number => [...text].length;

it("fills max_chars with the text that a model gets, to the last character", async () => {
  await using test = createTestMemory();
  for (const sentence of SENTENCES) await test.call("remember", { content: sentence });
  await test.apply(
    'remember as=a t=fact e=tool:tea "Tea is hot."\nremember as=b t=fact e=tool:tea "Tea is cold."\nconflict fact_a=$a fact_b=$b "which?"',
  );
  const whole = await asked(test, 100_000);
  const exact = await asked(test, lengthOf(whole.text));
  expect(exact).toEqual(whole);
  const less = await asked(test, lengthOf(whole.text) - 1);
  expect(less.text).not.toBe(whole.text);
  for (let most = lengthOf(whole.text); most > 0; most -= 7) {
    const { found, text } = await asked(test, most);
    expect(lengthOf(text)).toBeLessThanOrEqual(most);
    expect(found.formatted).toBe(text);
  }
});
