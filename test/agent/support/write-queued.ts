import { Transcript } from "../../../src/agent/threads/transcript.ts";

/** Started as a process of its own: keeps messages without end and says each that it has kept. */
const transcript = new Transcript(process.argv[2] ?? "");
const at = "2026-01-01T00:00:00.000Z";
transcript.append({ type: "thread", version: 1, threadId: "t", createdAt: at });
for (let index = 0; ; index += 1) {
  const id = `m${index}`;
  transcript.append({ type: "queued", at, id, text: "x".repeat(index % 5_000) });
  // A full pipe makes it wait, and the next message with it.
  await new Promise<void>((resolve) => process.stdout.write(`${id}\n`, () => resolve()));
}
