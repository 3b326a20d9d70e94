import { expect, it } from "vitest";
import { ThreadLog } from "../../../src/web/agent/thread-log.ts";

it("shows an answer once when a message is queued while it streams", () => {
  const log = new ThreadLog();
  const on = { threadId: "t", runId: "r" };
  log.take({ type: "assistant.delta", payload: { ...on, seq: 1, text: "First half, " } });
  log.take({ type: "status", payload: { ...on, seq: 2, phase: "queued", message: "And then?" } });
  log.take({ type: "assistant.delta", payload: { ...on, seq: 3, text: "second half." } });
  const text = "First half, second half.";
  log.take({ type: "assistant.done", payload: { ...on, seq: 4, text } });
  const answers = log.entries.value.filter(({ value }) => value.kind === "assistant");
  expect(answers.map(({ value }) => value)).toEqual([{ kind: "assistant", text, isOpen: false }]);
});
