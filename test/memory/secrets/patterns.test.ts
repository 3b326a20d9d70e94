import { describe, expect, it } from "vitest";
import { COMMAND_FORMS } from "../../../src/memory/secrets/find-command-secrets.ts";
import { findSecrets, SPOKEN_FORMS } from "../../../src/memory/secrets/find-secrets.ts";
import {
  ASSIGNMENT_PATTERNS,
  NAME_SUFFIX_PATTERN,
  SECRET_NAME,
} from "../../../src/memory/secrets/judge-value.ts";
import { TOKEN_FORMATS } from "../../../src/memory/secrets/token-formats.ts";

const PATTERNS: readonly RegExp[] = [
  ...TOKEN_FORMATS.map(({ pattern }) => pattern),
  ...COMMAND_FORMS.flatMap(({ pattern, programs }) =>
    programs === undefined ? [pattern] : [pattern, programs],
  ),
  ...SPOKEN_FORMS.map(({ pattern }) => pattern),
  ...Object.values(ASSIGNMENT_PATTERNS),
  SECRET_NAME,
  NAME_SUFFIX_PATTERN,
];

function skeleton({ source }: RegExp): string {
  return source.replace(/\\[pP]\{[^}]*\}|\\./g, "a").replace(/\[[^\]]*\]/g, "a");
}

describe("patterns read a bounded length from any position", () => {
  it.each(PATTERNS.map((pattern) => [pattern.source, pattern] as const))("%s", (_, pattern) => {
    const bare = skeleton(pattern);
    expect(bare).not.toMatch(/[*+]|\{\d+,\}/);
    // Nested repetitions multiply the number of attempts.
    for (const [, most = "1"] of bare.matchAll(/\)\{\d+,(\d+)\}/g)) {
      expect(Number(most)).toBeLessThanOrEqual(8);
    }
  });
});

const LONG = 200_000;
const HOSTILE = [
  "sk-",
  "eyJ-",
  "password",
  "password=",
  "token: ",
  "-u a:",
  "a.",
  "-----BEGIN ",
  "://a:",
  "x".repeat(40),
];

it.each(HOSTILE)("handles hostile text in bounded time: %s", async (part) => {
  const text = part.repeat(Math.ceil(LONG / part.length));
  for (const { start, end } of await findSecrets(text)) {
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(text.length);
  }
});
