import { type GeminiRules, geminiFault } from "./gemini-faults.ts";
import { event, type StrictService, startService } from "./strict-service.ts";

export type { GeminiRules } from "./gemini-faults.ts";

/**
 * A `streamGenerateContent` server (v1beta and Vertex) that rejects what the service rejects, with
 * its messages.
 */
export function startStrictGemini(rules: GeminiRules): Promise<StrictService> {
  const { steps = 9 } = rules;
  return startService(({ path, body }, turn) => {
    if (!/\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path)) {
      return { status: 404, refusal: { error: { code: 404, message: path, status: "NOT_FOUND" } } };
    }
    const message = geminiFault(body, rules);
    if (message !== undefined) {
      const error = { code: 400, message, status: "INVALID_ARGUMENT" };
      return { status: 400, refusal: { error } };
    }
    return { events: turn < steps ? callsOf(turn, rules) : closing() };
  });
}

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

function said(parts: readonly object[], finishReason?: string): string {
  const content = { role: "model", parts };
  const candidate = { content, index: 0, ...(finishReason !== undefined && { finishReason }) };
  return event({ candidates: [candidate], usageMetadata: USAGE, modelVersion: "m" });
}

/** Only the first call is signed; thoughts are streamed in pieces. */
function callsOf(turn: number, { signed }: GeminiRules): readonly string[] {
  const call = (index: number) => ({
    functionCall: { name: "read", args: { path: `f${turn}${index}` } },
    ...(signed === true && index === 0 && { thoughtSignature: `s${turn}` }),
  });
  return [
    said([{ text: "Step", thought: true }]),
    said([{ text: ` ${turn}.`, thought: true }]),
    said([call(0), call(1)]),
    said([{ text: "" }], "STOP"),
  ];
}

function closing(): readonly string[] {
  return [said([{ text: "Do" }]), said([{ text: "ne." }]), said([{ text: "" }], "STOP")];
}
