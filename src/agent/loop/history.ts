import {
  createCallId,
  isStorableCallId,
  type ModelMessage,
  removeImages,
  storedToolName,
} from "../../llm/index.ts";
import type { Picture } from "../images/picture.ts";

const APPENDED_BLOCK = /\n\n<(file|folder|image|resource|memory) [^\n]*>\n[\s\S]*<\/\1>\s*$/;

export function typedText(message: ModelMessage): string {
  let text = joinText(message);
  for (let match = APPENDED_BLOCK.exec(text); match !== null; match = APPENDED_BLOCK.exec(text)) {
    text = text.slice(0, match.index);
  }
  return text;
}

export class History {
  #list: readonly ModelMessage[];
  readonly #onAppend: (message: ModelMessage) => void;
  readonly #onReplace: (messages: readonly ModelMessage[]) => void;
  readonly #onStartAfresh: (messages: readonly ModelMessage[]) => void;

  constructor(messages: readonly ModelMessage[] = [], store: HistoryStore = {}) {
    this.#list = messages;
    this.#onAppend = store.append ?? ignoreRejection;
    this.#onReplace = store.replace ?? ignoreRejection;
    this.#onStartAfresh = store.startAfresh ?? ignoreRejection;
  }

  get messages(): readonly ModelMessage[] {
    return this.#list;
  }

  append(message: ModelMessage): void {
    this.#list = [...this.#list, message];
    this.#onAppend(message);
  }

  startAfresh(messages: readonly ModelMessage[]): void {
    if (this.#list.length > 0) this.#onStartAfresh(this.#list);
    this.replace(messages);
  }

  replace(messages: readonly ModelMessage[]): void {
    this.#list = messages;
    this.#onReplace(messages);
  }

  /** After a service refused them: a later request would be refused again. */
  removeImages(): void {
    const messages = removeImages(this.#list);
    if (messages !== this.#list) this.replace(messages);
  }

  removeRefused(): void {
    const last = this.#list.findLastIndex(({ role }) => role === "assistant");
    this.replace(this.#list.map((message, at) => (at > last ? replaceWithheld(message) : message)));
  }

  closeOpenCalls(reason: string): void {
    const repair = resultsForOpenCalls(this.#list, reason);
    if (repair !== undefined) this.append(repair);
  }
}

export interface HistoryStore {
  readonly append?: (message: ModelMessage) => void;
  readonly replace?: (messages: readonly ModelMessage[]) => void;
  readonly startAfresh?: (messages: readonly ModelMessage[]) => void;
}

/** Results for unanswered calls of the last answer; undefined if there are none. */
export function resultsForOpenCalls(
  messages: readonly ModelMessage[],
  reason: string,
): ToolMessage | undefined {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const message = messages[last];
  if (message?.role !== "assistant" || typeof message.content === "string") return undefined;
  const answered = new Set(messages.slice(last + 1).flatMap(findAnsweredCalls));
  const content = message.content.flatMap((part) =>
    part.type === "tool-call" && !answered.has(part.toolCallId)
      ? [toolOutcome({ callId: part.toolCallId, name: part.toolName, text: reason, isError: true })]
      : [],
  );
  return content.length === 0 ? undefined : { role: "tool", content };
}

const WITHHELD_TEXT = "[removed: the model service refused this content]";

function replaceWithheld(message: ModelMessage): ModelMessage {
  if (message.role === "user") return { role: "user", content: WITHHELD_TEXT };
  if (message.role !== "tool") return message;
  const output = { type: "text" as const, value: WITHHELD_TEXT };
  const content = message.content.map((part) =>
    part.type === "tool-result" ? { ...part, output } : part,
  );
  return { ...message, content };
}

function findAnsweredCalls(message: ModelMessage): string[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
}

function ignoreRejection(): void {}

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type Outcome = ToolMessage["content"][number];

/** Makes a history valid for every provider; returns a valid one unchanged. */
export function repairHistory(
  messages: readonly ModelMessage[],
  reason: string,
): readonly ModelMessage[] {
  const repaired: ModelMessage[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage;
    if (message.role === "tool") continue;
    if (message.role !== "assistant" || typeof message.content === "string") {
      repaired.push(message);
      continue;
    }
    const following = messages.slice(index + 1, findNextAnswer(messages, index));
    repaired.push(...repairAnswer(message, { following, taken, reason }));
  }
  const isSame =
    repaired.length === messages.length &&
    repaired.every((message, index) => message === messages[index]);
  return isSame ? messages : repaired;
}

interface RepairContext {
  readonly following: readonly ModelMessage[];
  readonly taken: Set<string>;
  readonly reason: string;
}

function repairAnswer(message: AssistantMessage, around: RepairContext): ModelMessage[] {
  if (typeof message.content === "string") return [message];
  const answered = around.following.flatMap((other) =>
    other.role === "tool" ? other.content : [],
  );
  const outcomes: Outcome[] = [];
  let isChanged = false;
  const content = message.content.map((part) => {
    if (part.type !== "tool-call" || part.providerExecuted === true) return part;
    const call = toStorable(part, around.taken);
    around.taken.add(call.toolCallId);
    outcomes.push(restoreOutcome(part, call, { outcomes: answered, reason: around.reason }));
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

function toStorable<Part extends Call>(part: Part, used: ReadonlySet<string>): Part {
  const isFree = isStorableCallId(part.toolCallId) && !used.has(part.toolCallId);
  const toolCallId = isFree ? part.toolCallId : createCallId();
  const toolName = storedToolName(part.toolName);
  if (toolCallId === part.toolCallId && toolName === part.toolName) return part;
  return { ...part, toolCallId, toolName };
}

function restoreOutcome(
  old: Call,
  call: Call,
  { outcomes, reason }: { readonly outcomes: readonly Outcome[]; readonly reason: string },
): Outcome {
  const found = outcomes.find(
    (part) => part.type === "tool-result" && part.toolCallId === old.toolCallId,
  );
  const { toolCallId, toolName } = call;
  if (found?.type !== "tool-result") {
    return toolOutcome({ callId: toolCallId, name: toolName, text: reason, isError: true });
  }
  if (found.toolCallId === toolCallId && found.toolName === toolName) return found;
  return { ...found, toolCallId, toolName };
}

function findNextAnswer(messages: readonly ModelMessage[], index: number): number {
  const next = messages.findIndex(
    (message, position) => position > index && message.role === "assistant",
  );
  return next === -1 ? messages.length : next;
}

export type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
export type ToolOutcome = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

export function toolOutcome(result: {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly pictures?: readonly Picture[];
}): ToolOutcome {
  const { callId: toolCallId, name: toolName, text: value, isError, pictures = [] } = result;
  if (pictures.length > 0 && !isError) {
    const imageParts = pictures.map((picture) => ({ type: "image-data" as const, ...picture }));
    const content = [{ type: "text" as const, text: value }, ...imageParts];
    return {
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "content", value: content },
    };
  }
  const output = isError
    ? { type: "error-text" as const, value }
    : { type: "text" as const, value };
  return { type: "tool-result", toolCallId, toolName, output };
}

export function outputText({ output }: ToolOutcome): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type !== "content") return JSON.stringify(output);
  return output.value.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

export function joinText(message: ModelMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export type UserContent = Extract<ModelMessage, { role: "user" }>["content"];

export function userContent(text: string, pictures: readonly Picture[]): UserContent {
  if (pictures.length === 0) return text;
  const images = pictures.map(({ data, mediaType }) => ({
    type: "image" as const,
    image: data,
    mediaType,
  }));
  return [{ type: "text", text }, ...images];
}
