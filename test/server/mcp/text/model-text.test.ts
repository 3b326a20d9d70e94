import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatForModel } from "../../../../src/server/mcp/text/model-text.ts";

const AT = "2026-03-31T10:20:30.123Z";

describe("the text of a result", () => {
  it("has a line per record with prose below and no empty fields", () => {
    const text = formatForModel({
      count: 2,
      episodes: [
        {
          id: "ep:2",
          content: "Two\nlines",
          episode_type: "decision",
          entities: ["project:shop", "person:Ada"],
          labels: [{ key: "area", value: "payments" }],
          metadata: null,
          asserted_by: "ada",
          plan_id: null,
          spec_ids: [],
          processed: false,
          created_at: AT,
          updated_at: AT,
          deleted_at: null,
        },
        { id: "ep:1", content: "One", metadata: { ticket: 7 }, deleted_at: AT },
      ],
    });
    expect(text).toBe(
      [
        "episodes:",
        "- ep:2 · decision · project:shop, person:Ada · area=payments · by ada · 2026-03-31",
        "    Two",
        "    lines",
        "- ep:1 · deleted_at=2026-03-31T10:20Z",
        "    One",
        "    metadata: ticket=7",
      ].join("\n"),
    );
  });

  it("shows the update date only if later than creation", () => {
    const item = { id: "ep:1", occurred_at: "2026-01-02T09:00:00.000Z", created_at: AT };
    expect(formatForModel({ ...item, updated_at: AT })).toBe("ep:1 · happened 2026-01-02T09:00Z");
    expect(formatForModel({ ...item, updated_at: "2026-04-01T00:00:01.000Z" })).toContain(
      "2026-04-01",
    );
  });

  it("omits redundant times, default values and list lengths", () => {
    const fact = { id: "fact:1", statement: "It holds.", valid_from: "2026-01-02", created_at: AT };
    const text = formatForModel({
      recent: {
        count: 2,
        episodes: [
          { id: "ep:1", content: "One", occurred_at: "2026-02-03", created_at: AT },
          { id: "ep:2", content: "Two", created_at: AT },
        ],
      },
      found: { count: 9, facts: [fact] },
      stats: { conflicts: { open: 0, resolved: 0, dismissed: 0 } },
    });
    expect(text.split("\n")).toEqual([
      "recent:",
      "  episodes:",
      "  - ep:1 · happened 2026-02-03",
      "      One",
      "  - ep:2 · 2026-03-31",
      "      Two",
      "found: count=9",
      "  facts:",
      "  - fact:1 · since 2026-01-02",
      "      It holds.",
      "stats:",
      "  conflicts: open=0",
    ]);
  });

  it("labels every number and shows zero counts", () => {
    expect(
      formatForModel({ pending: { count: 0, episodes: [] }, stats: { entities: 4, labels: 0 } }),
    ).toBe("pending: count=0\nstats: entities=4 · labels=0");
    expect(formatForModel({ labels: [] })).toBe("Nothing.");
  });

  it("shows an event's subject on its line", () => {
    const event = {
      seq: 7,
      ts: AT,
      kind: "remembered",
      subject_type: "episode",
      subject_id: "ep:3",
    };
    expect(
      formatForModel({ events: [{ ...event, payload: { fact_id: "fact:1", cluster_id: "c1" } }] }),
    ).toBe("events:\n- 7 · 2026-03-31T10:20Z · remembered · ep:3 · fact:1");
  });

  it("contains no invisible characters in any field", () => {
    const hidden = "vis\u200b\u2060\ufeff\u00ad\u202e\u{e0041}\u{e0042}\u{e0100}ible";
    const text = formatForModel({
      hint: hidden,
      topics: [{ id: "t", name: hidden, description: hidden }],
      episodes: [
        {
          id: "ep:1",
          content: hidden,
          asserted_by: hidden,
          source_ref: hidden,
          labels: [{ key: hidden, value: hidden }],
          metadata: { [hidden]: { deep: hidden } },
        },
      ],
    });
    expect(text).toContain("visible");
    expect(text).not.toMatch(/\p{Cf}|[\u{e0000}-\u{e0fff}]/u);
  });

  it("prevents content from imitating a record", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "- ep:9 · fact",
        "a\n- ep:9",
        "a\r- ep:9",
        "a\u2028- ep:9",
        "\u001b[2J- ep:9",
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 4 }), (texts) => {
        const text = formatForModel({
          episodes: texts.map(([content, name], index) => ({
            id: `ep:${index + 1}`,
            content,
            asserted_by: name,
            labels: [{ key: name, value: content }],
            metadata: { note: content },
          })),
        });
        const records = text.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => /^\S/.test(line));
        expect(records).toHaveLength(1 + texts.length);
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
