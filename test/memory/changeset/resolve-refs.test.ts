import { describe, expect, it } from "vitest";
import type { ChangesetForm } from "../../../src/memory/changeset/changeset-form.ts";
import { type CreatedIds, resolveRefs } from "../../../src/memory/changeset/resolve-refs.ts";
import { parseChangesetSync } from "../../support/run-to-end.ts";
import { forms } from "./forms.ts";

const made = new Map<string, CreatedIds>([
  ["f", { episode: "ep:1", fact: "fact:1" }],
  ["o", { episode: "ep:2" }],
  ["c", { other: "concept1" }],
]);

function resolve(op: string, args: Record<string, unknown>) {
  const form: ChangesetForm = forms.get(op) ?? { op, keys: {} };
  return resolveRefs({ opIndex: 0, line: 1, op, args }, form, made);
}

describe("resolving $names", () => {
  it("resolves to the fact where a fact is required, else to its episode", () => {
    expect(resolve("supersede", { old: "$f", new: "fact:9", note: "$f" })).toEqual({
      old: "fact:1",
      new: "fact:9",
      note: "$f",
    });
    expect(resolve("delete", { id: "$f" })).toEqual({ id: "ep:1" });
    expect(resolve("delete", { id: "$c" })).toEqual({ id: "concept1" });
  });

  it("reaches into lists, comma-separated text and objects in lists", () => {
    expect(resolve("processed", { ids: "$f, $o,ep:7" })).toEqual({ ids: "ep:1,ep:2,ep:7" });
    const relations = [{ type: "implies", target_id: "$c" }, { type: "$c" }, "$c"];
    expect(resolve("concept", { from: ["$f", "ep:7", 5], relations })).toEqual({
      from: ["ep:1", "ep:7", 5],
      relations: [{ type: "implies", target_id: "concept1" }, { type: "$c" }, "$c"],
    });
  });

  it("never replaces content", () => {
    expect(resolve("remember", { content: "$f costs", asserted_by: "$o" })).toEqual({
      content: "$f costs",
      asserted_by: "$o",
    });
  });

  it("reports a name without a fact or result", () => {
    expect(() => resolve("supersede", { old: "$o" })).toThrow(
      "old needs a fact, and $o is not one.",
    );
    expect(() => resolve("delete", { id: "$x" })).toThrow("id: no op created $x.");
  });
});

describe("names of a changeset", () => {
  const messages = (text: string) =>
    parseChangesetSync(text, forms).issues.map((issue) => `${issue.line}: ${issue.message}`);

  it("accepts a name from the line after its declaration on", () => {
    expect(messages("remember as=a x\ndelete $a\nprocessed ids=$a,ep:1")).toEqual([]);
  });

  it.each([
    ["remember as=a x\nremember as=a y", /^2: as=a is already declared on line 1/],
    ["delete $a", /^1: id: \$a is not declared/],
    ["remember as=auth x\ndelete $auht", /^2: .*Did you mean "\$auth"/],
    ["delete $a\nremember as=a x", /^1: id: \$a is declared later, on line 2/],
    ["remember as=a depends_on=$a x", /^1: depends_on: \$a is the result of this op/],
    ["remember as=a x\ndelete $1", /^2: id: \$1 is not declared/],
    ["delete id=$", /^1: id: \$ is not declared/],
  ])("%j", (text, message) => {
    expect(messages(text)).toEqual([expect.stringMatching(message)]);
  });

  it("does not report later uses of a name whose op is invalid", () => {
    expect(messages("remember as=a zz=1 x\ndelete $a")).toHaveLength(1);
  });

  it("orders issues by op and omits invalid ops", () => {
    const { ops, issues } = parseChangesetSync(
      "delete $a\nnope\nremember as=b x\ndelete ep:1 x=1",
      forms,
    );
    expect(issues.map((issue) => issue.op_index)).toEqual([0, 1, 3]);
    expect(ops.map((op) => op.opIndex)).toEqual([2]);
  });
});

describe("a hostile changeset", () => {
  it("is rejected quickly with short messages", () => {
    const long = "x".repeat(100_000);
    const lines = Array.from(
      { length: 5000 },
      (_one, index) => `remember as=n${index} depends_on=$m${index} x`,
    );
    const started = performance.now();
    const { issues } = parseChangesetSync(
      [...lines, `delete id=$${long}`, `delete ${long}=1`, long].join("\n"),
      forms,
    );
    expect(performance.now() - started).toBeLessThan(9_000);
    expect(issues).toHaveLength(5003);
    expect(Math.max(...issues.map((issue) => issue.message.length))).toBeLessThan(400);
  });
});

describe("choosing the form", () => {
  it("reads JSON if the first non-blank character is a bracket or brace", () => {
    expect(parseChangesetSync('\uFEFF \n [{"op":"delete","id":"ep:1"}]', forms).ops[0]?.line).toBe(
      2,
    );
    expect(parseChangesetSync('{"op":"delete","id":"ep:1"}', forms).ops).toHaveLength(1);
    expect(parseChangesetSync("delete ep:1", forms).ops).toHaveLength(1);
    expect(parseChangesetSync("", forms)).toEqual({ ops: [], issues: [] });
  });
});
