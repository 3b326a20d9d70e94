import { z } from "zod";
import type { DaemonAnswer, DaemonClient } from "../../app/daemon/index.ts";
import type { AppCache } from "../../app/index.ts";

/** The client runs larger requests in its own processes. */
const MAX_TEXTS = 64;

const reading = z.object({
  texts: z.array(z.object({ text: z.string(), before: z.string() })).max(MAX_TEXTS),
  role: z.enum(["query", "passage"]),
});

export async function answerReading(
  { request, signal }: DaemonClient,
  apps: AppCache,
): Promise<DaemonAnswer> {
  const { texts, role } = reading.parse(request.read);
  const readings = await apps.read(texts, { role, signal });
  if (readings === undefined) return { kind: "declined", reason: "it has another model" };
  const sent = readings.map(({ vector, tokens }) => ({
    vector: encodeBase64(vector),
    tokens: tokens.map((token) => ({ text: token.text, vector: encodeBase64(token.vector) })),
  }));
  return { kind: "read", readings: sent };
}

function encodeBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
