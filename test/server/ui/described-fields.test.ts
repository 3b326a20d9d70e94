import { expect, it } from "vitest";
import type { z } from "zod";
import type {
  AgentEventBody,
  HistoryEntry,
  StatusPhase,
  ThreadInfo,
} from "../../../src/agent/index.ts";
import { STATUS_PHASES, serverMessages } from "../../../src/server/ui/index.ts";

type Messages = typeof serverMessages;
type Payload<Type extends keyof Messages> = z.input<Messages[Type]["payload"]>;
/** Compiles only if the protocol describes every field. */
type Described<Fields, Payload> = [Exclude<Fields, keyof Payload>] extends [never] ? true : never;

const events: {
  [Type in AgentEventBody["type"]]: Described<
    Exclude<keyof Extract<AgentEventBody, { type: Type }>, "type">,
    Payload<Type>
  >;
} = {
  "thread.created": true,
  "thread.deleted": true,
  "assistant.delta": true,
  "assistant.done": true,
  "tool.call": true,
  "tool.result": true,
  status: true,
  error: true,
};
const thread: Described<
  Exclude<keyof ThreadInfo, "isKept">,
  Payload<"thread.list">["threads"][number]
> = true;
const entry: Described<keyof HistoryEntry, Payload<"thread.history">["entries"][number]> = true;
const phases: { [Phase in StatusPhase]: true } = {
  running: true,
  idle: true,
  queued: true,
  prompt: true,
  info: true,
  success: true,
  print: true,
  aborted: true,
  interjection: true,
  handover: true,
  memory: true,
  offer: true,
  learned: true,
  thinking: true,
  calling: true,
  output: true,
  subagent: true,
  resync: true,
};

it("the protocol describes every event, field and phase that the agent sends", () => {
  expect(Object.keys(serverMessages)).toEqual(expect.arrayContaining(Object.keys(events)));
  expect(Object.keys(STATUS_PHASES).sort()).toEqual(Object.keys(phases).sort());
  expect([thread, entry]).toEqual([true, true]);
});
