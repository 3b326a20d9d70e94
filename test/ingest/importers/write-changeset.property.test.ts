import fc from "fast-check";
import { expect, it } from "vitest";
import { writeChangeset } from "../../../src/ingest/importers/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((one) => one.trim() !== "");
const name = text.map((one) => one.trim()).filter((one) => one !== "");

it("round-trips ops through a changeset for any text", async () => {
  await using testMemory = createTestMemory();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          content: text,
          by: name,
          labels: fc.array(fc.record({ key: name, value: name }), { maxLength: 2 }),
          ref: text,
        }),
        { minLength: 1, maxLength: 4 },
      ),
      async (records) => {
        const ops = records.map((record) => ({
          op: "remember",
          ...record,
          labels: record.labels.map(({ key, value }) => ({ key: key.replaceAll("=", "-"), value })),
          metadata: { note: record.content },
        }));
        const { results } = await testMemory.memory.execute("apply", {
          changeset: await writeChangeset(ops),
        });
        for (const [index, op] of ops.entries()) {
          const stored = await testMemory.memory.execute("get_episode", {
            episode_id: results[index]?.id ?? "",
          });
          expect(stored).toMatchObject({
            content: op.content,
            asserted_by: op.by,
            source_ref: op.ref,
            metadata: { note: op.content },
          });
        }
      },
    ),
    { numRuns: 60 },
  );
});
