import { expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

const MIB = 1024 * 1024;

it.each([
  ["a comment of 7 MiB without blanks", `# ${"x".repeat(7 * MIB)}\nremember "after it"`],
  ["7 MiB of blanks", `${" ".repeat(7 * MIB)}remember "after it"`],
])("reads a changeset behind %s", async (_name, changeset) => {
  await using t = createTestMemory();
  expect(await t.call("apply", { changeset })).toMatchObject({ success: true });
});

it("refuses a content of 7 MiB by its size, in either form", async () => {
  await using t = createTestMemory();
  const content = "x".repeat(7 * MIB);
  for (const changeset of [
    `remember "${content}"`,
    JSON.stringify([{ op: "remember", content }]),
  ]) {
    const error = await t.failure("apply", { changeset });
    expect(JSON.stringify(error.details)).toContain("1048576");
  }
});

it("bounds keys and issues of an op", async () => {
  await using t = createTestMemory();
  const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}`);
  const json = JSON.stringify({
    op: "remember",
    ...Object.fromEntries(keys.map((key) => [key, 1])),
  });
  const many = await t.failure("apply", { changeset: json });
  expect(JSON.stringify(many.details)).toContain("at most 100 keys");
  const compact = await t.failure("apply", {
    changeset: `remember ${keys.map((key) => `${key}=1`).join(" ")}`,
  });
  const text = JSON.stringify(compact.details);
  expect(text).toMatch(/And \d+ more like these/);
  expect(text.length).toBeLessThan(20_000);
});

it("undoes a change of more rows than an argument list can have", {
  tags: ["long"],
  timeout: 360_000,
}, async () => {
  await using t = createTestMemory();
  const labels = Array.from({ length: 10 }, (_, index) => `k=${index}`).join(",");
  const line = `remember labels=${labels} "again and again"`;
  for (let part = 0; part < 13; part += 1) {
    await t.call("apply", { changeset: Array(1000).fill(line).join("\n") });
  }
  await t.call("undo", { since: "change:0" });
  expect((await t.call("stats")).episodes).toMatchObject({ total: 0 });
});
