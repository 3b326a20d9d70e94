import { Transcript } from "../../../src/agent/threads/transcript.ts";

/**
 * Child process: appends messages in an endless loop and prints the id of each one that is stored.
 */
const transcript = new Transcript(process.argv[2] ?? "");
const at = "2026-01-01T00:00:00.000Z";
transcript.append({ type: "thread", version: 1, threadId: "t", createdAt: at });
for (let index = 0; ; index += 1) {
  const id = `m${index}`;
  transcript.append({ type: "queued", at, id, text: "x".repeat(index % 5_000) });
  // Waits while the pipe is full, so that at most one id is ahead of the reader.
  await new Promise<void>((resolve) => process.stdout.write(`${id}\n`, () => resolve()));
}
