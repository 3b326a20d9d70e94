import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { startLoopbackRedirect } from "../../shared/loopback-redirect.ts";
import { shortenLine, stripControlLine } from "../../shared/text.ts";

/** OAuth endpoints that a service documents for third-party programs. */
export interface BrowserLogin {
  readonly page: string;
  readonly exchange: string;
}

export interface BrowserLoginOptions {
  readonly browserLogin: BrowserLogin;
  readonly show: (url: string) => void;
  /** Sends the exchange through the configured proxy. */
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

const EXCHANGE_TIMEOUT_MS = 30_000;
const input = z.object({ key: z.string().min(1).max(1_000) });

/** Obtains a key with the user's consent in a browser (PKCE). Throws unavailable, forbidden. */
export async function logInByBrowser(options: BrowserLoginOptions): Promise<string> {
  const { browserLogin, show, signal } = options;
  const verifier = randomBytes(32).toString("base64url");
  const callback = await startLoopbackRedirect({
    pathSegment: randomBytes(24).toString("base64url"),
  });
  try {
    const page = new URL(browserLogin.page);
    page.searchParams.set("callback_url", callback.url.replace("127.0.0.1", "localhost"));
    page.searchParams.set("code_challenge", computeChallenge(verifier));
    page.searchParams.set("code_challenge_method", "S256");
    show(page.href);
    const code = await callback.code(signal);
    return await exchangeCode(code, verifier, options);
  } finally {
    callback.close();
  }
}

function computeChallenge(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

async function exchangeCode(
  code: string,
  verifier: string,
  { browserLogin, fetch, signal }: BrowserLoginOptions,
): Promise<string> {
  const body = { code, code_verifier: verifier, code_challenge_method: "S256" };
  try {
    const response = await fetch(browserLogin.exchange, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(EXCHANGE_TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return input.parse(await response.json()).key;
  } catch (error) {
    signal.throwIfAborted();
    const isForm = error instanceof z.ZodError;
    const reason = isForm ? "the response contains no key" : stripControlLine(messageOf(error));
    throw new CairnError("unavailable", `The login failed: ${shortenLine(reason, 300)}.`);
  }
}
