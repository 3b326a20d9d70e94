import { mkdtempSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTidyingDue, tidyingOf, tidyQueued } from "../../src/app/tidy-daily.ts";
import { testMemory } from "../support/test-memory.ts";

const HOUR_MS = 60 * 60 * 1000;

it("tidies once a day, from the second day on, whoever asks", async () => {
  await using t = testMemory();
  const work = tidyingOf(mkdtempSync(join(tmpdir(), "cairn-tidy-")), "shop/main");
  const now = Date.now();
  for (const content of ["Use pnpm, not npm.", "We use pnpm instead of npm"]) {
    await t.call("remember", { content, episode_type: "preference" });
  }
  const changes = async () => (await t.call("changes")).changes.map(({ operation }) => operation);
  expect(isTidyingDue(work, now)).toBe(false);
  expect(isTidyingDue(work, now + 23 * HOUR_MS)).toBe(false);
  await tidyQueued(work, () => t.memory);
  expect(await changes()).not.toContain("tidy");
  const yesterday = new Date(now - 25 * HOUR_MS);
  utimesSync(work.mark, yesterday, yesterday);
  expect(isTidyingDue(work, now)).toBe(true);
  await tidyQueued(work, () => t.memory);
  await tidyQueued(work, () => t.memory);
  expect((await changes()).filter((operation) => operation === "tidy")).toHaveLength(1);
});
