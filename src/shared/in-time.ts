import { CairnError } from "./errors.ts";

export interface TimeGiven {
  readonly patienceMs: number;
  /** Aborts when the waiting begins; default: it begins at once. */
  readonly after?: AbortSignal;
  /** Of the caller, who may give up earlier. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Throws busy where the work takes too long, whether or not it ends with its signal: what does not answer holds
 * nobody up.
 */
export async function inTime<T>(
  { patienceMs, after, signal: given }: TimeGiven,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer: { id?: NodeJS.Timeout } = {};
  const over = new AbortController();
  const isLate = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer.id = setTimeout(() => {
        const error = new CairnError("busy", `It did not answer within ${patienceMs} ms.`);
        reject(error);
        late.abort(error);
      }, patienceMs);
    };
    if (after === undefined || after.aborted) begin();
    else after.addEventListener("abort", begin, { once: true, signal: over.signal });
  });
  const signal = given === undefined ? late.signal : AbortSignal.any([given, late.signal]);
  const working = work(signal);
  // Where it is not waited for any more, nobody asks what became of it.
  working.catch(() => undefined);
  try {
    return await Promise.race([working, isLate]);
  } finally {
    clearTimeout(timer.id);
    over.abort();
  }
}
