import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import { startLoopbackRedirect } from "../../shared/loopback-redirect.ts";
import type { CommandLine } from "../command-line.ts";
import { RefusedResponse, ServerEndpoint, type ServerTokens } from "./server-endpoint.ts";
import type { ServerLogins } from "./server-logins.ts";

/** Seconds added to the polling interval on `slow_down`. */
const SLOW_DOWN_SECONDS = 5;

interface LoginMethods {
  readonly signal: AbortSignal;
  readonly show: (page: string) => void;
  readonly showCode: (page: string, code: string) => void;
}

/** Logs in with this machine's browser (authorization code with PKCE, RFC 8252). */
async function logInLocally(
  endpoint: ServerEndpoint,
  { signal, show }: LoginMethods,
): Promise<ServerTokens> {
  const secret = () => randomBytes(32).toString("base64url");
  const [state, verifier] = [secret(), secret()];
  const callback = await startLoopbackRedirect({ state });
  try {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    show(endpoint.pageFor({ redirectUri: callback.url, state, challenge }));
    const code = await callback.code(signal);
    return await endpoint.ofCode(code, verifier, callback.url);
  } finally {
    callback.close();
  }
}

/** Logs in with a browser on any device, where the user enters a code (RFC 8628). */
async function logInByDevice(
  endpoint: ServerEndpoint,
  { signal, showCode }: LoginMethods,
): Promise<ServerTokens> {
  const { device_code, user_code, interval, expires_in } = await endpoint.beginDevice();
  showCode(`${endpoint.url}/oauth/device`, user_code);
  const until = Date.now() + expires_in * 1000;
  let seconds = interval;
  while (Date.now() < until) {
    await wait(seconds * 1000, undefined, { signal });
    try {
      return await endpoint.ofDevice(device_code);
    } catch (error) {
      if (!(error instanceof RefusedResponse)) throw error;
      if (error.reason === "slow_down") seconds += SLOW_DOWN_SECONDS;
      else if (error.reason !== "authorization_pending") throw error;
    }
  }
  throw new CairnError("unavailable", "The code expired. Start again.");
}

export interface ServerCommand {
  readonly line: CommandLine;
  readonly address: string;
  readonly logins: ServerLogins;
  readonly fetch: typeof globalThis.fetch;
}

interface CommandResult {
  readonly output: object;
  readonly text: string;
}

/** `cairn login https://…`: stores a login, or prints a token of a stored one. */
export async function logInToServer(
  command: ServerCommand,
  { device, printToken }: { readonly device: boolean; readonly printToken: boolean },
): Promise<CommandResult> {
  const { line, logins } = command;
  const endpoint = openEndpoint(command);
  if (printToken) {
    const token = await logins.token(endpoint);
    return { output: { server: endpoint.url, token }, text: token };
  }
  await endpoint.requireLogin();
  const { openBrowser } = await import("../page/open-browser.ts");
  const logIn = device ? logInByDevice : logInLocally;
  const tokens = await logIn(endpoint, {
    signal: line.signal,
    show(page) {
      line.stderr.write(
        `Log in on this page (opened in your browser, if one is found):\n${page}\n`,
      );
      if (process.platform !== "win32") void openBrowser(page, { env: line.env });
    },
    showCode(page, code) {
      line.stderr.write(`Open ${page} in any browser and enter this code: ${code}\n`);
    },
  });
  await logins.store(endpoint.url, tokens);
  const text = `You are logged in. The login is stored in ${logins.path}, readable by you only.`;
  return { output: { server: endpoint.url, kept: logins.path }, text };
}

/** `cairn logout https://…`: revokes the login on the server and deletes it here. */
export async function logOutOfServer(command: ServerCommand): Promise<CommandResult> {
  const endpoint = openEndpoint(command);
  const removed = await command.logins.take(endpoint.url);
  if (removed === undefined)
    throw new CairnError("not_found", `No login to ${endpoint.url} is stored.`);
  const hasRevoked = await endpoint.revoke(removed.refresh).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const text =
    hasRevoked === undefined
      ? "Logged out here and at the server."
      : `Logged out here; the server could not be notified: ${hasRevoked}`;
  return {
    output: { server: endpoint.url, forgotten: true, ended: hasRevoked === undefined },
    text,
  };
}

function openEndpoint({ address, fetch, line }: ServerCommand): ServerEndpoint {
  if (!URL.canParse(address)) throw invalidInput(`"${address}" is not a server URL.`);
  const url = new URL(address);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !isHere) {
    throw invalidInput(`${address}: logins require https.`);
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw invalidInput(`${address}: give only the origin, such as https://memory.example.org.`);
  }
  const plain = (url.origin + url.pathname).replace(/\/+$/, "");
  return new ServerEndpoint(plain, { fetch, signal: line.signal });
}
