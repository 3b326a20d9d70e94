import fc from "fast-check";
import { expect, it } from "vitest";
import { repairHistory, toolOutcome } from "../../../src/agent/loop/history.ts";
import type { ModelMessage } from "../../../src/llm/index.ts";

const id = fc.constantFrom("a", "b", "call_0", "x".repeat(60), "id:1", "");
const name = fc.constantFrom("read", "functions.shell", "$x", "n".repeat(80), "");
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.constant<ModelMessage>({ role: "user", content: "go on" }),
  fc.constant<ModelMessage>({ role: "assistant", content: "done" }),
  fc.array(fc.tuple(id, name), { minLength: 1, maxLength: 4 }).map(
    (calls): ModelMessage => ({
      role: "assistant",
      content: calls.map(([toolCallId, toolName]) => ({
        type: "tool-call",
        toolCallId,
        toolName,
        input: {},
      })),
    }),
  ),
  fc.array(id, { minLength: 1, maxLength: 4 }).map(
    (ids): ModelMessage => ({
      role: "tool",
      content: ids.map((callId) =>
        toolOutcome({ callId, name: "read", text: callId, isError: false }),
      ),
    }),
  ),
);

it("makes any history valid for every provider, and is idempotent", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const repaired = repairHistory(messages, "lost");
      expectValid(repaired);
      expect(repairHistory(repaired, "lost")).toBe(repaired);
      const said = (list: readonly ModelMessage[]) => list.filter(({ role }) => role === "user");
      expect(said(repaired)).toEqual(said(messages));
    }),
    { numRuns: 500 },
  );
});

function expectValid(messages: readonly ModelMessage[]): void {
  const ids = new Set<string>();
  messages.forEach((one, index) => {
    if (one.role === "tool") expect(messages[index - 1]?.role).toBe("assistant");
    if (one.role !== "assistant" || typeof one.content === "string") return;
    const calls = one.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    for (const { toolCallId, toolName } of calls) {
      expect(toolName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(toolCallId).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
      expect(ids.has(toolCallId)).toBe(false);
      ids.add(toolCallId);
    }
    const next = messages[index + 1];
    const results = next?.role === "tool" ? next.content : [];
    const answered = results.flatMap((part) =>
      part.type === "tool-result" ? [[part.toolCallId, part.toolName]] : [],
    );
    expect(answered).toEqual(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]));
  });
}
