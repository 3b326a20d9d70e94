import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CairnError } from "../../shared/errors.ts";
import { startLoopbackRedirect } from "../../shared/loopback-redirect.ts";
import { Refused, type ServerDoor, type ServerTokens } from "./server-door.ts";

/** Seconds added to the polling interval when the server asks for fewer requests. */
const SLOWER_S = 5;

export interface LogInWays {
  readonly signal: AbortSignal;
  /** Shows the page's address and opens it if a browser is found. */
  readonly show: (page: string) => void;
  /** Shows the page on which the code is entered, on any machine. */
  readonly showCode: (page: string, code: string) => void;
}

/** Logs in with the browser of this machine (authorization code with PKCE, RFC 8252). */
export async function logInHere(
  door: ServerDoor,
  { signal, show }: LogInWays,
): Promise<ServerTokens> {
  const secret = () => randomBytes(32).toString("base64url");
  const [state, verifier] = [secret(), secret()];
  const callback = await startLoopbackRedirect({ state });
  try {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    show(door.pageFor({ redirectUri: callback.url, state, challenge }));
    const code = await callback.code(signal);
    return await door.ofCode(code, verifier, callback.url);
  } finally {
    callback.close();
  }
}

/** Logs in with a browser anywhere, in which a person enters a code (RFC 8628). */
export async function logInElsewhere(
  door: ServerDoor,
  { signal, showCode }: LogInWays,
): Promise<ServerTokens> {
  const { device_code, user_code, interval, expires_in } = await door.beginDevice();
  // The address is our own: one that the server names could be a page of somebody else.
  showCode(`${door.url}/oauth/device`, user_code);
  const until = Date.now() + expires_in * 1000;
  let seconds = interval;
  while (Date.now() < until) {
    await wait(seconds * 1000, undefined, { signal });
    try {
      return await door.ofDevice(device_code);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.reason === "slow_down") seconds += SLOWER_S;
      else if (error.reason !== "authorization_pending") throw error;
    }
  }
  throw new CairnError("unavailable", "Nobody typed the code in time; begin again.");
}
