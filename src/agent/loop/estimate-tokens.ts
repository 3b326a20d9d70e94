import type { ModelMessage } from "../../llm/index.ts";

/**
 * Characters of a token. English prose has about four, code and JSON about three; a count that is
 * too high sums up a little early, one that is too low meets the provider's error.
 */
const CHARACTERS_PER_TOKEN = 3.5;
/** What a message costs beside its text. */
const PER_MESSAGE = 8;

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function tokensOfMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage({ content }: ModelMessage): number {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return tokensOfText(text) + PER_MESSAGE;
}
