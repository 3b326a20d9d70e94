import { expect, it } from "vitest";
import { ContextOverflow, toShownError } from "../../src/llm/provider-error.ts";

const shown = (statusCode: number, message: string) =>
  toShownError(Object.assign(new Error(message), { statusCode }), {
    provider: "p",
    model: "m",
    secret: undefined,
  });

it.each([
  [400, "prompt is too long: 215692 tokens > 200000 maximum"],
  [400, "This model's maximum context length is 65536 tokens. You requested 70000 tokens"],
  [400, "This model's maximum prompt length is 131072 but the request contains 150000 tokens."],
  [400, "The input token count (1234567) exceeds the maximum number of tokens allowed."],
  [400, "Input tokens exceed the configured limit of 272000 tokens."],
  [400, "Range of input length should be [1, 129024]"],
  [400, "Prompt exceeds max length"],
  [400, "Your request exceeded model token limit: 131072"],
  [400, "prompt token count of 140000 exceeds the limit of 128000"],
  [422, "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000"],
  [422, "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens"],
  [413, "Request too large for model on tokens per minute"],
])("recognizes an exceeded context window: %i %s", (status, message) => {
  expect(shown(status, message)).toBeInstanceOf(ContextOverflow);
});

it.each([
  [400, "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens"],
  [400, "prompt_cache_key: string too long, expected a maximum length of 1024"],
  [400, "Invalid input: max_tokens must be at most 8192"],
  [429, "The input token rate limit of 40000 tokens per minute was exceeded"],
  [500, "The prompt exceeds the maximum length"],
])("does not take other errors for it: %i %s", (status, message) => {
  expect(shown(status, message)).not.toBeInstanceOf(ContextOverflow);
});
