import { describe, expect, it } from "vitest";
import { renderOutput } from "../../../src/cli/render/render-output.ts";
import { detectStyle } from "../../../src/cli/render/style.ts";
import { itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const plain = { ...detectStyle({ stdout: process.stdout, env: { NO_COLOR: "1" } }), columns: 80 };
const render = (output: unknown) => renderOutput(output, plain).join("\n");

describe("rendered results", () => {
  it("shows an unknown result field by field", () => {
    expect(
      render({ moved_to: "shelf", is_full: false, tags: ["a", "b"], boxes: [{ size: 3 }] }),
    ).toBe(
      ["moved to  shelf", "is full   no", "tags      a, b", "", "boxes (1)", "  size  3"].join(
        "\n",
      ),
    );
  });

  it("reports empty results in a sentence", () => {
    expect(render({ conflicts: [], total: 0, page: 1, limit: 1 })).toBe("No conflicts.");
    expect(render({ episodes: [], concepts: [] })).toBe("No episodes.\n\nNo concepts.");
    expect(render({})).toBe("Done.");
    expect(render({ boxes: [{ size: 3, files: [] }] })).toBe("size  3");
  });

  it("shows items of all kinds in one table with their text", async () => {
    await using m = createTestMemory();
    await m.apply(
      'remember as=a t=fact e=tool:redis "The TTL is 600 seconds."',
      'concept title="Caching" from=$a "what is cached, and for how long"',
    );
    const wide = { ...plain, columns: 200 };
    const table = renderOutput(await m.call("items"), wide).join("\n");
    expect(table).toMatch(/^ep:1 +fact +.*The TTL is 600 seconds\.$/m);
    expect(table).toMatch(/pattern +.*Caching: what is cached, and for how long$/m);
    expect(table).toMatch(/^tool:redis +tool +/m);
  });

  it("explains how to get the next page", () => {
    const labels = [{ key: "a", value: "b", count: 1 }];
    expect(render({ labels, total: 9, page: 2, limit: 3 })).toContain(
      "4 to 6 of 9; the next: --page 3",
    );
  });

  it("prevents content from moving the cursor, changing colors or imitating headings", () => {
    const output = render({
      id: "ep:1",
      content: "a\u001b[2Jb\u001b]0;title\u0007\nc\r",
      episode_type: "meta\nx",
      entities: ["tool:\u001b[31mred"],
      created_at: "2026-01-01T00:00:00.000Z",
    });
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(output.split("\n")[0]).toContain("meta x");
    expect(output).toContain("  ab\n  c");
  });

  it("explains how to resolve colliding facts", () => {
    const fact = {
      id: "fact:1",
      cluster_id: "c1",
      episode_id: "ep:1",
      statement: "We deploy on Mondays",
      entities: ["project:shop"],
      status: "active",
      valid_from: "2026-01-01T00:00:00.000Z",
      valid_to: null,
      superseded_by: null,
      asserted_by: "ada",
      source_ref: null,
      created_at: "2026-01-01T00:00:00.000Z",
    };
    const output = render({
      id: "ep:2",
      episode_type: "fact",
      created_at: "2026-01-01T00:00:00.000Z",
      fact_id: "fact:2",
      cluster_id: "c1",
      cluster_created: false,
      collisions: [fact],
    });
    expect(output).toContain("cairn supersede fact:1 fact:2");
    expect(output).toContain("cairn conflict fact:1 fact:2");
    expect(output).toContain("We deploy on Mondays");
  });

  it("does not repeat a cluster's facts as source episodes", async () => {
    await using t = createTestMemory();
    await t.apply('remember t=fact e=tool:x "Only once"', 'remember as=o "Seen as well"');
    const cluster = itemAt((await t.call("list_concepts")).concepts, 0);
    await t.apply("concept as=p title=P from=ep:2", `merge from=$p into=${cluster.id}`);
    const text = render(await t.call("get_concept", { concept_id: cluster.id }));
    expect(text.split("Only once")).toHaveLength(2);
    expect(text).toContain("Seen as well");
  });

  it("summarizes a long changeset and lists a short one", () => {
    const results = Array.from({ length: 100 }, (_unused, index) => ({
      op_index: index,
      op: index % 2 === 0 ? "remember" : "label",
      success: true,
      id: `ep:${index}`,
    }));
    const answer = { success: true, dry_run: false, results, errors: [] };
    expect(render(answer)).toBe("50  remember\n50  label\nApplied 100 ops.");
    expect(render({ ...answer, results: results.slice(0, 2) })).toContain("✓  label");
  });
});
