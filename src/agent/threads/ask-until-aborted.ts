import type { AskUser } from "../tools/ask-user.ts";

/** A question that is given up, with the reason of the signal, when the run is aborted. */
export function askUntilAborted(ask: AskUser, signal: AbortSignal): AskUser {
  return (question, choices) =>
    new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      ask(question, choices)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", onAbort));
    });
}
