/** A question that is given up, with the reason of the signal, when the run is aborted. */
export function askUntilAborted(
  ask: (question: string) => Promise<string>,
  signal: AbortSignal,
): (question: string) => Promise<string> {
  return (question) =>
    new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      ask(question)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", onAbort));
    });
}
