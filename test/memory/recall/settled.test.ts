import { expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";

it("accepts short Japanese messages, which need fewer characters", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  await memory.read_source({
    ...{ kind: "claude-code", key: "orders" },
    passages: [
      ["user", "注文一覧の表示が遅いので調べてください。"],
      ["assistant", "全ての注文をキャッシュに入れることを提案します。"],
      ["user", "いや、注文一覧にキャッシュは使わないでください。"],
      [
        "assistant",
        "まとめ：注文一覧はキャッシュを使わず、JOINで一回のクエリにまとめて取得します。",
      ],
      ["user", "一覧のページサイズは100件にします。"],
      ["assistant", "了解。"],
    ].map(([by = "", text = ""], index) => ({
      ...{ key: String(index), role: "turn" as const, by, text },
      occurred_at: `2026-03-01T09:0${index}:00Z`,
    })),
  });
  const { passages = [] } = await memory.recall({ query: "注文一覧のキャッシュ", passage_k: 2 });
  const [closing, own] = passages.map(({ text }) => text);
  expect(closing).toContain("まとめ");
  expect(own).toContain("ページサイズは100件");
});
