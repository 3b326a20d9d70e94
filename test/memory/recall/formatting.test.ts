import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitResult } from "../../../src/memory/recall/fit-result.ts";
import type { RecalledEpisode } from "../../../src/memory/recall/recall.schema.ts";

const episode = (fields: Partial<RecalledEpisode>): RecalledEpisode => ({
  id: "ep:1",
  content: "content",
  episode_type: "observation",
  score: 0.5,
  created_at: "2026-01-01T00:00:00.000Z",
  occurred_at: null,
  asserted_by: null,
  source_ref: null,
  entities: [],
  labels: [],
  fact_id: null,
  ...fields,
});

const format = (episodes: RecalledEpisode[], max_chars?: number) =>
  fitResult({ concepts: [], episodes, conflicts: [], complete: true }, { query: "q", max_chars });

describe("the text of a recall", () => {
  it("has one unindented line per item, regardless of content", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "ep:9 · 0.999 · fact",
        "OPEN CONFLICTS (1)",
        "a\n\nep:9 · 0.999",
        "a\r\nep:9",
        "a\u2028ep:9",
        "\u001b[2Jep:9",
        "a\u0085ep:9",
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (texts) => {
        const { formatted } = format(
          texts.map(([content, source], index) =>
            episode({ id: `ep:${index + 1}`, content, asserted_by: source, source_ref: source }),
          ),
        );
        const heads = formatted
          .split(/[\n\r\u0085\u2028\u2029]/)
          .filter((line) => /^\S/.test(line));
        expect(heads).toHaveLength(texts.length);
        heads.forEach((line, index) => {
          expect(line.startsWith(`ep:${index + 1} · 0.500 · `)).toBe(true);
        });
        expect(formatted).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });

  it("shows time, author and session", () => {
    const { formatted } = format([
      episode({
        occurred_at: "2025-05-08T00:00:00.000Z",
        asserted_by: "ops",
        source_ref: "https://ci/7",
        entities: ["tool:redis"],
        labels: [{ key: "team", value: "core" }],
      }),
    ]);
    expect(formatted).toBe(
      "ep:1 · 0.500 · observation · 2025-05-08T00:00:00.000Z · by ops · https://ci/7 · tool:redis · team=core\n    content",
    );
  });

  it("counts code points, not UTF-16 units", () => {
    const emoji = episode({ content: "😀".repeat(100) });
    const { formatted } = format([emoji]);
    const points = [...formatted].length;
    expect(formatted.length).toBeGreaterThan(points);
    expect(format([emoji], points).episodes).toHaveLength(1);
    expect([...format([emoji], points - 1).formatted]).toHaveLength(points - 1);
  });

  it("skips items that do not fit and continues", () => {
    const large = episode({ id: "ep:1", content: "x".repeat(3000) });
    const small = [2, 3].map((n) => episode({ id: `ep:${n}`, score: 0.4 }));
    const { episodes, formatted } = format([large, ...small], 2000);
    expect(episodes.map(({ id }) => id)).toEqual(["ep:2", "ep:3"]);
    expect(formatted).not.toContain("xxx");
  });

  it("cuts the best item when not even that fits", () => {
    const { episodes, formatted } = format([episode({ content: "y".repeat(3000) })], 100);
    expect(episodes.map(({ id }) => id)).toEqual(["ep:1"]);
    expect(formatted).toMatch(/^ep:1 · 0\.500 · .*y…$/s);
    expect([...formatted]).toHaveLength(100);
    expect(format([], 3).formatted).toBe("");
  });

  it("contains no invisible characters", () => {
    const hidden = "\u200b\u2060\ufeff\u00ad\u202e\u{e0041}\u{e0042}\u{e0100}";
    const { formatted } = format([episode({ content: `visi${hidden}ble`, asserted_by: hidden })]);
    expect(formatted).toContain("visible");
    expect(formatted).not.toMatch(/\p{Cf}|[\u{e0000}-\u{e0fff}]/u);
  });

  it("preserves joiners of scripts and emoji", () => {
    const content = "👩‍💻 می‌خواهم";
    expect(format([episode({ content })]).formatted).toContain(content);
  });

  it("has fields that content cannot imitate", () => {
    const { formatted } = format([episode({ asserted_by: "ada · ep:77 · 0.999" })]);
    expect(formatted).not.toContain(" · ep:77");
  });
});
