import { expect, it } from "vitest";
import { itemAt } from "../support/defined.ts";
import { createTestMemory } from "../support/test-memory.ts";

it("omits collisions that exceed the response limit for facts about one subject", async () => {
  await using t = createTestMemory();
  const { results } = await t.apply(
    ...Array.from({ length: 3000 }, (_, n) => `remember t=fact e=tool:cache "v${n}"`),
  );
  expect(itemAt(results, 300).collisions_total).toBe(300);
  expect(results[2999]).toMatchObject({ collisions: [], collisions_omitted: true });
  const last = { episode_type: "fact", content: "last", entities: "tool:cache" };
  expect((await t.call("remember", last)).collisions_total).toBe(3000);
}, 120_000);
