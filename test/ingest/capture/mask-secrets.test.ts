import { expect, it } from "vitest";
import {
  EMPTY_STATE,
  findCandidates,
  findNewCandidates,
  readTranscript,
} from "../../../src/ingest/capture/index.ts";

const maskSecrets = async (content: string) => {
  const record = JSON.stringify({ type: "user", message: { role: "user", content } });
  const [first] = await findCandidates(readTranscript(record), { cwd: "/work" });
  return first?.content;
};

it.each([
  ["Always deploy with ghp_abcdefghijklmnopqrstuvwxyz0123456789 here.", "ghp_"],
  ["Always send Bearer abcdef0123456789abcdef to the gateway.", "abcdef0123"],
  ["Always connect to postgres://app:hunter22@db/shop for tests.", "hunter22"],
  ['Always set API_KEY="q1w2e3r4t5" in the shell.', "q1w2e3"],
])("neither learns nor stores the secret in: %s", async (text, secret) => {
  expect(await maskSecrets(text)).toBeUndefined();
  const entries = readTranscript(
    JSON.stringify({ type: "user", message: { role: "user", content: text } }),
  );
  const { soFar } = await findNewCandidates(entries, {
    context: { cwd: "/work" },
    soFar: EMPTY_STATE,
  });
  expect(soFar.said).toHaveLength(1);
  expect(JSON.stringify(soFar)).not.toContain(secret);
});

it("preserves a sentence about secrets", async () => {
  const text = "Never print a token or a password into the log.";
  expect(await maskSecrets(text)).toBe(text);
});
