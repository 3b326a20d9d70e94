import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";

/**
 * Characters of a token. English prose has about four, code and JSON about three; a count that is
 * too high sums up a little early, one that is too low meets the provider's error.
 */
const CHARACTERS_PER_TOKEN = 3.5;
/** Of a picture of usual size; its base64 says nothing of it. */
const PER_IMAGE = 1_600;
/** What a message costs beside its text. */
const PER_MESSAGE = 8;

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function tokensOfMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage({ content }: ModelMessage): number {
  if (typeof content === "string") return tokensOfText(content) + PER_MESSAGE;
  let images = 0;
  const text = JSON.stringify(content, (_key, value: unknown) => {
    if (!isImage(value)) return value;
    images += 1;
    return undefined;
  });
  return tokensOfText(text) + images * PER_IMAGE + PER_MESSAGE;
}

function isImage(part: unknown): boolean {
  return isPlainObject(part) && (part.type === "image" || part.type === "image-data");
}
