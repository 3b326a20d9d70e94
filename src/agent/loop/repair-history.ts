import {
  freshCallId,
  isStorableCallId,
  type ModelMessage,
  storedToolName,
} from "../../llm/index.ts";
import { type ToolMessage, toolOutcome } from "./tool-messages.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type Outcome = ToolMessage["content"][number];

/**
 * The same conversation as every provider takes it: the results of an answer's calls follow it at
 * once and in their order, each call has one, none is without a call, names and ids are ones that
 * nobody refuses and no id occurs twice. A history that is valid comes back as it is.
 */
export function repairHistory(
  messages: readonly ModelMessage[],
  reason: string,
): readonly ModelMessage[] {
  const repaired: ModelMessage[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage;
    // Results are taken with the answer that they belong to; others belong to none.
    if (message.role === "tool") continue;
    if (message.role !== "assistant" || typeof message.content === "string") {
      repaired.push(message);
      continue;
    }
    const following = messages.slice(index + 1, nextAnswer(messages, index));
    repaired.push(...repairAnswer(message, { following, taken, reason }));
  }
  const isSame =
    repaired.length === messages.length &&
    repaired.every((message, index) => message === messages[index]);
  return isSame ? messages : repaired;
}

interface Surroundings {
  /** Up to the next answer. */
  readonly following: readonly ModelMessage[];
  /** Ids of calls so far; grows. */
  readonly taken: Set<string>;
  readonly reason: string;
}

function repairAnswer(message: AssistantMessage, around: Surroundings): ModelMessage[] {
  if (typeof message.content === "string") return [message];
  const given = around.following.flatMap((other) => (other.role === "tool" ? other.content : []));
  const outcomes: Outcome[] = [];
  let isChanged = false;
  const content = message.content.map((part) => {
    if (part.type !== "tool-call" || part.providerExecuted === true) return part;
    const call = storable(part, around.taken);
    around.taken.add(call.toolCallId);
    outcomes.push(outcomeOf(part, call, { given, reason: around.reason }));
    if (call !== part) isChanged = true;
    return call;
  });
  const answer = isChanged ? { ...message, content } : message;
  if (outcomes.length === 0) return [answer];
  const [first] = around.following;
  const isInPlace =
    first?.role === "tool" &&
    first.content.length === outcomes.length &&
    first.content.every((outcome, index) => outcome === outcomes[index]);
  return [answer, isInPlace ? first : { role: "tool", content: outcomes }];
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
}

function storable<Part extends Call>(part: Part, taken: ReadonlySet<string>): Part {
  const isFree = isStorableCallId(part.toolCallId) && !taken.has(part.toolCallId);
  const toolCallId = isFree ? part.toolCallId : freshCallId();
  const toolName = storedToolName(part.toolName);
  if (toolCallId === part.toolCallId && toolName === part.toolName) return part;
  return { ...part, toolCallId, toolName };
}

/** The result that was given, under the call's new name and id where it got one. */
function outcomeOf(
  old: Call,
  call: Call,
  { given, reason }: { readonly given: readonly Outcome[]; readonly reason: string },
): Outcome {
  const found = given.find(
    (part) => part.type === "tool-result" && part.toolCallId === old.toolCallId,
  );
  const { toolCallId, toolName } = call;
  if (found?.type !== "tool-result") {
    return toolOutcome({ callId: toolCallId, name: toolName, text: reason, isError: true });
  }
  if (found.toolCallId === toolCallId && found.toolName === toolName) return found;
  return { ...found, toolCallId, toolName };
}

function nextAnswer(messages: readonly ModelMessage[], index: number): number {
  const next = messages.findIndex(
    (message, position) => position > index && message.role === "assistant",
  );
  return next === -1 ? messages.length : next;
}
