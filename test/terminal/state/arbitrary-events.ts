import fc from "fast-check";
import type { AgentEvent, AgentEventBody, StatusPhase } from "../../../src/agent/index.ts";

const PHASES: readonly StatusPhase[] = [
  "running",
  "idle",
  "queued",
  "prompt",
  "info",
  "success",
  "print",
  "aborted",
  "interjection",
  "handover",
  "resync",
  "memory",
  "offer",
  "thinking",
  "calling",
  "output",
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "# T\n\n",
    "```ts\ncode\n",
    "- item\n",
    "\x1b[2J",
    "\x1b]0;x",
    "日本語 ",
    "👩‍👩‍👧",
    "word ".repeat(60),
    "x".repeat(9000),
    "line\n".repeat(50),
    "[y]es, [n]o",
    "[1] first, [2] second, [s]kip",
  ),
);
const label = fc.option(fc.constantFrom("[Scout]", "__proto__", "\x1b[31m"), { nil: undefined });
const callId = fc.constantFrom("a", "b", "c");
const name = fc.constantFrom("edit", "shell", "remember", "recall", "x\x1b[1m");

const body: fc.Arbitrary<AgentEventBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("assistant.delta" as const), text }) },
  fc.record({
    type: fc.constant("assistant.delta" as const),
    text,
    contextLabel: fc.constant("[S]"),
  }),
  fc.record({ type: fc.constant("assistant.done" as const), text }),
  fc
    .record({ type: fc.constant("tool.call" as const), callId, name, args: fc.anything(), label })
    .map(withLabel),
  fc
    .record({
      type: fc.constant("tool.result" as const),
      callId,
      name,
      summary: text,
      hasDiff: fc.boolean(),
      isError: fc.boolean(),
      label,
    })
    .map(withLabel),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("status" as const),
      phase: fc.constantFrom(...PHASES),
      message: text,
    }),
  },
  fc.record({ type: fc.constant("error" as const), message: text }),
);

function withLabel<T extends { label: string | undefined }>({ label: contextLabel, ...rest }: T) {
  return contextLabel === undefined ? rest : { ...rest, contextLabel };
}

export const anyEvent: fc.Arbitrary<AgentEvent> = body.map(
  (event) => ({ ...event, threadId: "t", seq: 1 }) as AgentEvent,
);
