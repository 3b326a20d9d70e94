import { randomUUID } from "node:crypto";
import { RENEWED_MS, type StoredTokens } from "../database/index.ts";

/**
 * Says in the place of the databases that a server runs which others than its machine can reach, so
 * that nobody lets them in without a token meanwhile. Returns what says that it has stopped.
 */
export async function noteServer(
  kept: Pick<StoredTokens, "noteServer" | "forgetServer">,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  let renewing = kept.noteServer(id).catch(onError);
  await renewing;
  const timer = setInterval(() => {
    renewing = renewing.then(() => kept.noteServer(id)).catch(onError);
  }, RENEWED_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await renewing;
    await kept.forgetServer(id).catch(onError);
  };
}
