// @module-tag long: a memory with many facts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchCluster } from "../../../src/memory/facts/match-cluster.ts";
import { expectDefined } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("the cluster of a new fact", () => {
  it("is the one that reading every active fact would choose", async () => {
    const entitySet = fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 5, 6), {
      minLength: 1,
      maxLength: 4,
    });
    const step = fc.record({ entities: entitySet, superseding: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        await using t = createTestMemory();
        const clusters: string[] = [];
        const active: { fact: string; clusterId: number; entities: number[] }[] = [];
        for (const { entities, superseding } of steps) {
          const same = active.find(
            (one) => [...one.entities].sort().join() === [...entities].sort().join(),
          );
          const expected = same === undefined ? matchCluster(entities, active) : undefined;
          const made = await t.call("remember", {
            content: `fact ${active.length}`,
            episode_type: "fact",
            entities: entities.map((n) => `tool:t${n}`),
          });
          if (made.cluster_created) clusters.push(expectDefined(made.cluster_id));
          const joined = clusters.indexOf(expectDefined(made.cluster_id));
          if (same === undefined) expect(joined).toBe(expected ?? clusters.length - 1);
          else expect(active.some((one) => one.clusterId === joined)).toBe(true);
          const [first] = active;
          if (superseding && first !== undefined) {
            await t.call("supersede", { old: first.fact, new: expectDefined(made.fact_id) });
            active.shift();
          }
          active.push({ fact: expectDefined(made.fact_id), clusterId: joined, entities });
        }
      }),
      { numRuns: 10 },
    );
  }, 180_000);

  it("is found quickly though every fact names the same project", async () => {
    await using t = createTestMemory();
    const lines = Array.from(
      { length: 1000 },
      (_, n) => `remember t=fact e=file:f${n}.ts,project:shop "fact ${n}"`,
    );
    await t.call("apply", { changeset: lines.join("\n") });
    const joins = await t.call("remember", {
      content: "alone",
      episode_type: "fact",
      entities: "file:f7.ts, project:shop",
    });
    expect(joins.collisions).toMatchObject([{ statement: "fact 7" }]);
    expect((await t.call("stats")).concepts.by_type.fact_cluster).toBe(1000);
  }, 180_000);
});
