import { join } from "node:path";
import { expect } from "vitest";
import { feed } from "../../../../src/memory/maintenance/checks/feed.ts";
import { itOnSqlite } from "../../../support/on-sqlite.ts";
import { openPlanRecorder } from "../../../support/query-plans.ts";
import { createTestMemory } from "../../../support/test-memory.ts";

itOnSqlite("reads the feed once for all reported items", async () => {
  await using t = createTestMemory();
  await t.call("remember", { content: "one" });
  using plans = openPlanRecorder(join(t.folder, "default.db"));
  expect(await feed.find(plans.tx)).toEqual([]);
  const steps = plans.read();
  const perRow = steps.flatMap((step, at) =>
    step.startsWith("CORRELATED") ? [steps[at + 1] ?? ""] : [],
  );
  expect(perRow.filter((step) => /\bevents\b/.test(step))).toEqual([]);
});
