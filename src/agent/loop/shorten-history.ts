import type { ModelMessage } from "../../llm/index.ts";
import { truncateText } from "../../shared/text.ts";
import { type ToolMessage, textOfOutput, toolOutcome } from "./history.ts";

const HEAD_RATIO = 0.7;
const FIRST_RATIO = 0.2;
const MIN_ITEMS = 80;

/**
 * A form of the conversation in at most about `characters`: long texts and results lose their
 * middle, then the oldest messages go but for the first. Calls stay with their results.
 */
export function shortenHistory(
  messages: readonly ModelMessage[],
  characters: number,
): readonly ModelMessage[] {
  const limit = Math.max(MIN_ITEMS, Math.floor(characters / 8));
  const blocks = blocksOf(messages.map((message) => shortenMessage(message, limit)));
  const [first, ...rest] = blocks;
  if (first === undefined) return [];
  const start = first.map((message) =>
    shortenMessage(message, Math.max(MIN_ITEMS, characters * FIRST_RATIO)),
  );
  const kept: (readonly ModelMessage[])[] = [];
  let left = characters - sizeOf(start);
  for (const block of rest.toReversed()) {
    left -= sizeOf(block);
    if (left < 0) break;
    kept.unshift(block);
  }
  const note: ModelMessage[] =
    kept.length === rest.length
      ? []
      : [{ role: "user", content: "[cairn] Earlier messages were left out here." }];
  return [...start, ...note, ...kept.flat()];
}

/** An answer and the results of its calls are one block: neither is valid alone. */
function blocksOf(messages: readonly ModelMessage[]): (readonly ModelMessage[])[] {
  const blocks: ModelMessage[][] = [];
  for (const message of messages) {
    const last = blocks.at(-1);
    if (message.role === "tool" && last !== undefined) last.push(message);
    else blocks.push([message]);
  }
  return blocks;
}

function shortenMessage(message: ModelMessage, limit: number): ModelMessage {
  switch (message.role) {
    case "user":
    case "system":
      return { ...message, content: shortenText(textWithNotes(message), limit) } as ModelMessage;
    case "assistant":
      return shortenAnswer(message, limit);
    case "tool":
      return { ...message, content: message.content.map((part) => shortenPart(part, limit)) };
  }
}

function textWithNotes({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

type AnswerPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];

function shortenAnswer(
  message: Extract<ModelMessage, { role: "assistant" }>,
  limit: number,
): ModelMessage {
  if (typeof message.content === "string") {
    return { ...message, content: shortenText(message.content, limit) };
  }
  const content = message.content.flatMap((part): AnswerPart[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [{ ...part, text: shortenText(part.text, limit) }];
    if (part.type !== "tool-call") return [part];
    const input = JSON.stringify(part.input);
    return [
      input.length <= limit ? part : { ...part, input: { shortened: shortenText(input, limit) } },
    ];
  });
  return { ...message, content };
}

function shortenPart(
  part: ToolMessage["content"][number],
  limit: number,
): ToolMessage["content"][number] {
  if (part.type !== "tool-result") return part;
  const { output, toolCallId: callId, toolName: name } = part;
  const text = textOfOutput(part);
  const isText = output.type === "text" || output.type === "error-text";
  if (isText && text.length <= limit) return part;
  const isError = output.type === "error-text";
  return toolOutcome({ callId, name, text: shortenText(text, limit), isError });
}

export function shortenText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * HEAD_RATIO);
  const left = text.length - limit;
  const end = text.slice(-(limit - head)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${truncateText(text, head)}\n[… ${left} characters left out …]\n${end}`;
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
}
