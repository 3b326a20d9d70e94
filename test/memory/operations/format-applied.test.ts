import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { apply } from "../../../src/memory/operations/write/apply.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const shown = async (test: TestMemory, changeset: string) =>
  apply.present?.(await test.apply(changeset), { changeset }).text ?? "";

const facts = (count: number, begin = "Part") =>
  Array.from(
    { length: count },
    (_, index) =>
      `remember as=f${index} t=fact e=project:shop "${begin} ${index} of the shop is served by host ${index % 7} in the second rack."`,
  ).join("\n");

it.each([10, 300, 3_000])(
  "formats %i facts about one subject within 1 500 tokens",
  async (count) => {
    await using test = createTestMemory();
    await test.apply(facts(20, "Room"));
    const text = await shown(test, facts(count));
    expect(countTokens(text)).toBeLessThanOrEqual(1_500);
    expect(text).toContain(`Applied ${count} ops.`);
    expect(text).toContain(`${count} new facts may contradict active ones`);
    const pairs = text.split("\n").filter((line) => /^- fact:\d+ and fact:\d+/.test(line));
    expect(pairs).toHaveLength(5);
    expect(text).toMatch(/and (at least )?\d+ more pairs, less close/);
  },
);

it("lists the results of a small changeset and unresolved collisions", async () => {
  await using test = createTestMemory();
  const text = await shown(
    test,
    'remember as=a t=fact e=tool:queue "Jobs use Redis."\nremember as=b t=fact e=tool:queue "Jobs use RabbitMQ."\nsupersede old=$a new=$b\nremember "Tea at four"',
  );
  expect(text).toBe(
    "Applied 4 ops.\n- remember · ep:1 · fact:1 · as a\n- remember · ep:2 · fact:2 · as b\n- supersede · fact:1\n- remember · ep:3",
  );
});

it("summarizes a large one by id ranges and names", async () => {
  await using test = createTestMemory();
  const text = await shown(
    test,
    `${Array.from({ length: 30 }, () => 'remember "Tea"').join("\n")}\nremember as=last "Coffee"`,
  );
  expect(text).toBe("Applied 31 ops.\n- remember (31): ep:1–ep:31\nnames: last=ep:31");
});
