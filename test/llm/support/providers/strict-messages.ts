import { type MessagesRules, messagesFault } from "./messages-faults.ts";
import {
  asServerSent,
  createTwoReadCalls,
  messagesCalls,
  messagesClosing,
} from "./messages-stream.ts";
import { type StrictService, startService } from "./strict-service.ts";

export type { MessagesRules } from "./messages-faults.ts";

/**
 * A Messages API server that rejects what the service rejects. On Vertex the URL names the model
 * and `:streamRawPredict`.
 */
export function startStrictMessages(rules: MessagesRules): Promise<StrictService> {
  const { steps = 9, cloud } = rules;
  const ending = cloud === "vertex" ? /\/[^/]+:streamRawPredict$/ : /\/messages$/;
  return startService((request, turn) => {
    const { path } = request;
    if (!ending.test(path)) return { status: 404, refusal: { error: { message: path } } };
    const message = messagesFault(request, rules);
    if (message !== undefined) {
      const refusal = { type: "error", error: { type: "invalid_request_error", message } };
      return { status: 400, refusal };
    }
    const calls = rules.calls?.(turn) ?? (turn < steps ? createTwoReadCalls(turn) : []);
    const events = calls.length > 0 ? messagesCalls(turn, calls) : messagesClosing();
    return { events: events.map(asServerSent) };
  });
}
