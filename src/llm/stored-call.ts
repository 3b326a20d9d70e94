import { randomBytes } from "node:crypto";

const TOOL_NAME_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;
/** Anthropic's characters and the length of OpenAI, the narrowest of each. */
const CALL_ID_PATTERN = /^[a-zA-Z0-9_-]{1,40}$/;
const ID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Normalizes a tool name for the history. Invented names such as `functions.shell` would make
 * providers reject all later requests.
 */
export function storedToolName(name: string): string {
  if (TOOL_NAME_PATTERN.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64) || "unnamed_tool";
}

export function isStorableCallId(callId: string): boolean {
  return CALL_ID_PATTERN.test(callId);
}

/** Nine alphanumeric characters, the strictest provider's limit (Mistral), with 53 random bits. */
export function createCallId(): string {
  return Array.from(randomBytes(9), (byte) => ID_LETTERS[byte % ID_LETTERS.length]).join("");
}
