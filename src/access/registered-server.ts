import { randomUUID } from "node:crypto";
import { RENEWAL_INTERVAL_MS, type StoredTokens } from "../database/index.ts";

/**
 * Registers a server that other machines can reach, so that tokens cannot be disabled meanwhile.
 * Returns the function that unregisters it.
 */
export async function registerServer(
  tokens: Pick<StoredTokens, "noteServer" | "forgetServer">,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  let renewing = tokens.noteServer(id).catch(onError);
  await renewing;
  const timer = setInterval(() => {
    renewing = renewing.then(() => tokens.noteServer(id)).catch(onError);
  }, RENEWAL_INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await renewing;
    await tokens.forgetServer(id).catch(onError);
  };
}
