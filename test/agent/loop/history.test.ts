import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { History, resultsForOpenCalls } from "../../../src/agent/loop/history.ts";
import { scaleRuns } from "../../support/scale-runs.ts";
import type { ChatMessage, ScriptedAnswer } from "../../support/scripted-model.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness | undefined;
afterAll(() => harness?.close());

/** Invariants that every provider requires of a conversation. */
function expectValid(messages: readonly ChatMessage[]): void {
  expect(messages[0]?.role).toBe("system");
  let open = new Set<string>();
  for (const message of messages.slice(1)) {
    if (message.role === "tool") {
      expect(open.delete(message.tool_call_id ?? "")).toBe(true);
      continue;
    }
    expect([...open]).toEqual([]);
    if (message.role === "user") expect(String(message.content)).not.toBe("");
    const calls = message.tool_calls ?? [];
    for (const call of calls) expect(() => JSON.parse(call.function.arguments)).not.toThrow();
    open = new Set(calls.map((call) => call.id));
    expect(open.size).toBe(calls.length);
  }
  expect([...open]).toEqual([]);
  expect(["user", "tool"]).toContain(messages.at(-1)?.role);
}

const call = fc.constantFrom(
  { name: "shell", args: { command: "sleep 0.05" } },
  { name: "shell", args: { command: "sleep 5" } },
  { name: "write", args: { path: "a.txt", content: "x", overwrite: true } },
  { name: "read", args: { path: "missing" } },
  { name: "read", args: '{"path":' },
  { name: "nonsense", args: [] },
);

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ text: fc.constant("talk"), toolCalls: fc.tuple(call) }) },
  fc.constantFrom<ScriptedAnswer>(
    { text: "fine" },
    { text: ["a", "b"], cutOff: true },
    { text: "a", endEarly: true },
    { toolCalls: [{ name: "read", args: '{"pa' }], cutOff: true },
    { status: 401 },
    { hang: "afterText", text: "so far" },
  ),
);

const action = fc.record({
  kind: fc.constantFrom("send", "send", "cancel"),
  waitMs: fc.integer({ min: 0, max: 40 }),
});

describe("the history", () => {
  it("remains valid after any responses, failures, cancels and interjections", async () => {
    const current = await startHarness({
      settings: { parallelToolCalls: 2, maxSteps: 6 },
      llm: { maxRetries: 0 },
    });
    harness = current;
    let thread = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 6 }),
        fc.array(action, { minLength: 1, maxLength: 5 }),
        async (answers, actions) => {
          const threadId = `h${thread}`;
          thread += 1;
          const first = current.model.requests.length;
          let next = 0;
          current.model.respond(() => answers[next++] ?? { text: "fine" });
          await current.host.create({ threadId });
          await current.host.send(threadId, "start");
          for (const { kind, waitMs } of actions) {
            await waitFixedTime(waitMs, "random moment");
            if (kind === "cancel") await current.host.cancel(threadId);
            else await current.host.send(threadId, "more");
          }
          const info = () => current.host.list().find((one) => one.threadId === threadId);
          const calm = () => info()?.isRunning === false && info()?.queued === 0;
          const deadline = Date.now() + 400;
          await waitUntil(() => calm() || Date.now() >= deadline);
          // A cancel starts the queued messages, which may hang in turn, so cancel until idle.
          const cancelled = async () => {
            await current.host.cancel(threadId);
            return calm();
          };
          await waitUntil(cancelled, { intervalMs: 100 });

          current.model.respond(() => ({ text: "last" }));
          await current.say("last", threadId);
          const requests = current.model.requests.slice(first);
          for (const { body } of requests) expectValid(body.messages);
          const seqs = current.events
            .filter((event) => event.threadId === threadId)
            .map(({ seq }) => seq);
          expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
          await current.host.delete(threadId);
        },
      ),
      { numRuns: scaleRuns(10) },
    );
  }, 360_000);

  it("adds results only to calls without one", () => {
    const history = new History([
      { role: "user", content: "x" },
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "a", toolName: "read", input: {} },
          { type: "tool-call", toolCallId: "b", toolName: "read", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "a",
            toolName: "read",
            output: { type: "text", value: "1" },
          },
        ],
      },
    ]);
    history.closeOpenCalls("cut off");
    expect(history.messages).toHaveLength(4);
    expect(history.messages[3]?.content).toMatchObject([{ toolCallId: "b" }]);
    expect(resultsForOpenCalls(history.messages, "again")).toBeUndefined();
  });
});
