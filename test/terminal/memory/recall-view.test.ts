import { expect, it } from "vitest";
import type { OutputOf } from "../../../src/memory/index.ts";
import { drawRecall } from "../../../src/terminal/memory/draw-recall.ts";
import { toRecallView } from "../../../src/terminal/memory/recall-view.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const NOW = new Date("2026-06-15T12:00:00.000Z");

it("recall on screen puts the highest score first and strips what could move the cursor", () => {
  const output: OutputOf<"recall"> = {
    concepts: [
      {
        id: "c1",
        title: "Title",
        summary: "",
        type: "pattern",
        confidence: 1,
        score: 0.4,
        source: "direct",
        hops: 0,
        labels: [],
        created_at: "2026-06-13T09:00:00.000Z",
      },
    ],
    episodes: [
      {
        id: "ep:3",
        content: "evil\x1b[2J\u202e text",
        episode_type: "decision",
        score: 0.9,
        created_at: "2026-06-15T09:00:00.000Z",
        occurred_at: null,
        asserted_by: "alice",
        source_ref: null,
        entities: [],
        labels: [],
        fact_id: null,
      },
    ],
    open_conflicts: [],
    partial: true,
    formatted: "",
  };
  const lines = drawRecall(toRecallView("q", output, NOW), 80);
  expect(lines.map((line) => paintLine(line, "none"))).toEqual([
    "▮▮▮▮▮ 0.90 decision · ep:3 · 3 h ago · by alice",
    "  evil text",
    "▮▮▯▯▯ 0.40 pattern · c1 · 2 days ago",
    "  Title",
    "The search was incomplete: there may be more results.",
  ]);
});

it("recall on screen counts the open conflicts of what it shows", async () => {
  await using base = createTestMemory();
  const fact = 'remember t=fact e="project:shop"';
  await base.apply(
    `${fact} as=a "We deploy on Fridays."`,
    `${fact} as=b "We deploy on Mondays."`,
    'conflict fact_a=$a fact_b=$b description="one day"',
  );
  const answer = await base.memory.execute("recall", { query: "deploy" });
  const lines = drawRecall(toRecallView("deploy", answer, base.clock.now()), 80);
  expect(lines.map((line) => paintLine(line, "none"))).toContain("1 open conflict: /conflicts");
});
