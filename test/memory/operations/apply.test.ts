import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../../src/shared/package.ts";
import { itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

interface ApplyDetails {
  readonly success: boolean;
  readonly dry_run: boolean;
  readonly results: unknown[];
  readonly errors: { op_index: number; line: number; op: string; code: string; message: string }[];
}

const ALL_OPS = `
# every op of the language
remember as=a t=fact e=tool:cache,project:shop by=Ada ref=http://x "TTL=300"
remember as=b t=fact e=tool:cache "TTL=600"
remember as=c "$100 spent"
remember as=d "to be deleted"
supersede old=$a new=$b "measured"
remember as=e t=fact e=tool:cache "TTL=900"
conflict as=k fact_a=$b fact_b=$e severity=low "cannot both hold"
resolve id=$k winner=$e note="checked"
remember as=f t=fact e=tool:cache "TTL=901"
conflict as=k2 fact_a=$e fact_b=$f
dismiss id=$k2 "different hosts"
concept as=x title="Caching" from=$a,$c type=hypothesis "What we know of caching"
concept as=y title=Costs from=$c
update id=$x confidence=0.9 tags=a,b
update id=$c content="$200 spent" priority=p1
link from=$x to=$y type=implies
link source=$y type=refines target=$x
label id=$c key=area value=money
label id=$x key=area value=cache
unlabel id=$c key=area value=money
entity_relation source=tool:cache target=project:shop relation=part_of strength=0.7 "as of today"
evidence concept=$x episode=$a type=supports strength=0.8 "seen"
unlink concept=$x episode=$a
reshape id=$x type=pattern reason="firm"
split id=$y into="Small costs,Large costs" "too broad"
merge from=$x,$y into=$x "overlap"
delete id=$d
restore id=$d
topic as=t name="Money matters" description="What it costs"
set_topic id=$c topic=$t
remember topic=money-matters "with a topic"
processed ids=$a,$b,$c
`;

describe("apply", () => {
  it("runs all 21 ops, one event each, in order", async () => {
    await using t = createTestMemory();
    const applied = await t.call("apply", { changeset: ALL_OPS });
    expect(applied).toMatchObject({ success: true, dry_run: false, errors: [] });
    const lines = ALL_OPS.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(applied.results).toHaveLength(lines.length);
    expect(new Set(applied.results.map((r: { op: string }) => r.op)).size).toBe(21);
    expect(applied.results[0]).toMatchObject({
      op_index: 0,
      op: "remember",
      success: true,
      id: "ep:1",
      ref: "a",
      fact_id: "fact:1",
      cluster_created: true,
      collisions: [],
    });
    const { events } = await t.call("events");
    expect(events).toHaveLength(lines.length);
    expect(events.map((e: { seq: number }) => e.seq)).toEqual(lines.map((_, n) => n + 1));
    const opOf: Record<string, string> = {
      remember: "remembered",
      supersede: "superseded",
      conflict: "conflict_opened",
      resolve: "conflict_resolved",
      dismiss: "conflict_dismissed",
      concept: "concept_created",
      label: "labeled",
      unlabel: "unlabeled",
      delete: "deleted",
      restore: "restored",
      processed: "processed",
    };
    const ops = lines.map((line) => line.split(" ")[0] ?? "");
    expect(events.map((e: { kind: string }) => e.kind)).toEqual(
      ops.map((op) => opOf[op] ?? "updated"),
    );
    const unnamed = ["link", "evidence", "unlink", "reshape", "merge", "split", "entity_relation"];
    for (const [n, op] of ops.entries()) {
      if (unnamed.includes(op)) expect(itemAt(events, n).payload).toMatchObject({ op });
    }
    expect((await t.call("get_episode", { episode_id: "ep:3" })).content).toBe("$200 spent");
  });

  it("applies the example of the repository", async () => {
    await using t = createTestMemory();
    const changeset = readFileSync(join(packageRoot(), "examples/first-memory.changeset"), "utf8");
    const applied = await t.call("apply", { changeset });
    expect(applied.success).toBe(true);
    expect(applied.results.length).toBeGreaterThan(10);
  });

  it("applies nothing if one op fails, and reports every error with its line", async () => {
    await using t = createTestMemory();
    const error = await t.failure("apply", {
      changeset: [
        'remember as=a "one"',
        "delete id=ep:77",
        'rember "typo"',
        "label id=$missing key=k value=v",
        "supersede old=$a new=ep:1",
        "remember 'unbalanced",
      ].join("\n"),
    });
    expect(error.code).toBe("changeset_failed");
    const details = error.details as ApplyDetails;
    expect(details).toMatchObject({ success: false, results: [] });
    expect(details.errors.map((e) => [e.op_index, e.line, e.code])).toEqual([
      [1, 2, "not_found"],
      [2, 3, "invalid_input"],
      [3, 4, "invalid_input"],
      [4, 5, "invalid_input"],
      [5, 6, "invalid_input"],
    ]);
    expect((await t.call("list_episodes")).total).toBe(0);
    expect((await t.call("events")).count).toBe(0);
    expect((await t.call("remember", { content: "next" })).id).toBe("ep:1");
  });

  it("leaves no trace of a dry run and creates no file", async () => {
    await using t = createTestMemory();
    const dry = await t.call("apply", { changeset: ALL_OPS, dry_run: true });
    expect(dry).toMatchObject({ success: true, dry_run: true, errors: [] });
    expect(await t.memory.isThere()).toBe(false);
    await t.call("remember", { content: "first" });
    await t.call("apply", { changeset: ALL_OPS, dry_run: true });
    expect((await t.call("remember", { content: "second" })).id).toBe("ep:2");
    expect((await t.call("events")).next_since_seq).toBe(2);
    expect((await t.call("entities")).entities).toEqual([]);
    expect((await t.call("list_topics")).topics).toEqual([]);
  });

  it("a dry run reports what the real run would", async () => {
    await using t = createTestMemory();
    const changeset = 'remember "x"\nrestore id=ep:1\nprocessed ids=ep:5';
    const dry = await t.failure("apply", { changeset, dry_run: true });
    const real = await t.failure("apply", { changeset });
    expect({ ...(dry.details as ApplyDetails), dry_run: false }).toEqual(real.details);
  });

  it("succeeds with nothing for an empty changeset", async () => {
    await using t = createTestMemory();
    expect(await t.call("apply", { changeset: "\n# nothing\n" })).toEqual({
      success: true,
      dry_run: false,
      results: [],
      errors: [],
    });
  });

  it("takes JSON with the same keys", async () => {
    await using t = createTestMemory();
    const changeset = JSON.stringify([
      { op: "remember", as: "a", t: "fact", e: ["tool:cache"], content: "$a is no reference" },
      { op: "label", id: "$a", key: "k", value: "v" },
    ]);
    expect((await t.call("apply", { changeset })).results[1]).toMatchObject({ id: "ep:1" });
    expect((await t.call("get_episode", { episode_id: "ep:1" })).content).toBe(
      "$a is no reference",
    );
  });

  it("takes 10 000 ops and refuses one more", {
    tags: ["long"],
    timeout: 180_000,
  }, async () => {
    await using t = createTestMemory();
    const lines = Array.from({ length: 10_000 }, (_, n) => `remember "note ${n}"`);
    expect((await t.call("apply", { changeset: lines.join("\n") })).results).toHaveLength(10_000);
    const error = await t.failure("apply", { changeset: [...lines, 'remember "x"'].join("\n") });
    expect(error.code).toBe("too_large");
  });

  it("returns the stored result for a repeated key", async () => {
    await using t = createTestMemory();
    const request = { changeset: 'remember "x"', idempotency_key: "k" };
    const first = await t.call("apply", request);
    expect(await t.call("apply", request)).toEqual(first);
    expect((await t.call("list_episodes")).total).toBe(1);
  });

  it("keeps the feed without gaps for any mixture of valid and invalid changesets", async () => {
    const line = fc.constantFrom(
      'remember "a"',
      'remember t=fact e=tool:x "f"',
      "delete id=ep:1",
      "restore id=ep:1",
      "processed ids=ep:1",
      "label id=ep:1 key=k value=v",
      "supersede old=fact:1 new=fact:2",
      "nonsense",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        async (changesets) => {
          await using t = createTestMemory();
          let expected = 0;
          for (const lines of changesets) {
            const done = await t.apply(...lines).then(
              () => lines.length,
              () => 0,
            );
            expected += done;
          }
          const { events } = await t.call("events", { limit: 1000 });
          expect(events.map((e: { seq: number }) => e.seq)).toEqual(
            Array.from({ length: expected }, (_, n) => n + 1),
          );
        },
      ),
      { numRuns: 15 },
    );
  });
});
