import { expect, it } from "vitest";
import { digestText, webhookBody } from "../../src/deciding/index.ts";
import { ownersOf } from "../../src/memory/index.ts";

const it1 = (more: object = {}) => ({
  episode_type: "decision",
  entities: [],
  topic_id: null,
  labels: [],
  ...more,
});

it.each([
  [["* ada"], {}, ["ada"]],
  [["* ada", "type:decision @bruno carla"], {}, ["bruno", "carla"]],
  [["type:fact bruno"], {}, []],
  [["label:area=pay bruno"], { labels: ["area=pay"] }, ["bruno"]],
  [["label:area bruno"], { labels: ["area=pay"] }, ["bruno"]],
  [["label:area bruno"], { labels: ["areas=pay"] }, []],
  [["entity:tool:npm bruno"], { entities: ["tool:NPM"] }, ["bruno"]],
  [["src/pay/ bruno"], { entities: ["file:src/pay/a/b.ts"] }, ["bruno"]],
  [["src/pay/*.ts bruno"], { entities: ["file:src/pay/a/b.ts"] }, []],
  [["src/**/b.ts bruno"], { entities: ["file:src/pay/a/b.ts"] }, ["bruno"]],
  [["*.ts bruno"], { entities: ["file:src/pay/a/b.ts"] }, ["bruno"]],
  [["src/pay bruno"], { entities: ["file:src/payment/b.ts"] }, []],
  [["topic:payments bruno"], { topic_id: "payments" }, ["bruno"]],
  [["topic:Card-Payments bruno"], { topic_id: "card-payments" }, ["bruno"]],
  [["topic:payments bruno"], { topic_id: "payments-eu" }, []],
  [["topic:payments bruno"], {}, []],
  [["* ada", "topic:payments bruno", "label:area=pay carla"], { topic_id: "payments" }, ["bruno"]],
  [["# a remark", "* ada", "src/ bruno"], { entities: ["file:docs/a.md"] }, ["ada"]],
])("%j of %j gives it to %j", (lines, it, owners) => {
  expect(ownersOf(it1(it), lines)).toEqual(owners);
});

it("what was proposed mentions nobody and begins no line of its own in a channel", () => {
  const proposal = {
    ...{
      id: "proposal:1",
      status: "open" as const,
      content: "<!channel> read\n*this* & that\u202e",
    },
    ...it1(),
    ...{ asserted_by: "ada", session: null, occurred_at: null, quotation: null, evidence: [] },
    ...{ corrects: false, rejects: [], reason: null, times: 1, created_at: "", seen_at: "" },
    ...{ decided_at: null, decided_by: null, note: null, episode_id: null },
  };
  const text = digestText("shop", [{ proposal, owners: ["bruno"], against: ["fact:3"], days: 2 }]);
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain("(by ada; for 2 days; against fact:3; for bruno to decide)");
  const body = JSON.parse(webhookBody(text));
  expect(body.text).toContain("&lt;!channel&gt;");
  expect(body.text).not.toContain("<!");
  expect(body.blocks[0].text.type).toBe("plain_text");
});
