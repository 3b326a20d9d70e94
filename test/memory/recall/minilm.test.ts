import { afterAll, expect, it } from "vitest";
import { createEmbedder, embeddingSettings } from "../../../src/embedding/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const embedder = createEmbedder(embeddingSettings.parse({}));
if (embedder === null) throw new Error("The default settings name no embedder.");
afterAll(() => embedder.close());

it("finds paraphrases with the bundled model, and nothing for nonsense", async () => {
  await using t = createTestMemory({ embedder });
  await t.apply(
    'remember "We release on Fridays after lunch"',
    'remember "The cat sleeps on the sofa"',
    'remember "Invoices are paid within thirty days"',
    'remember t=fact e=module:auth "A login token is valid for ten minutes"',
  );
  const best = async (query: string) =>
    (await t.call("recall", { query })).episodes.map(({ id }: { id: string }) => id)[0];
  expect(await best("when do we deploy?")).toBe("ep:1");
  expect(await best("where is the kitten?")).toBe("ep:2");
  expect(await best("session expiry")).toBe("ep:4");
  for (const nonsense of ["zorgle frobnicate blarg", "qwxz vvkp", "1234567890"]) {
    const found = await t.call("recall", { query: nonsense });
    expect([nonsense, found.episodes, found.concepts]).toEqual([nonsense, [], []]);
  }
});
