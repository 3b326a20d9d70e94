import { isLocalAddress } from "../is-local-address.ts";

/** Schemes that a browser acts upon itself, instead of handing them to a program. */
const NEVER =
  /^(javascript|data|vbscript|file|blob|about|filesystem|ws|wss|ftp|view-source|http|mailto):$/;
const LONGEST = 400;

/**
 * Whether a client may be sent back there: https, this machine, or the scheme of a program. Never a
 * fragment, or a name and password before the host.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text) || /[\s<>"\\^`{}|#]/.test(text)) return false;
  const { protocol, hash, username, password } = new URL(text);
  if (hash !== "" || username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  if (protocol === "http:") return isLocalAddress(text);
  return !NEVER.test(protocol) && /^[a-z][a-z0-9+.-]+:\/?\/?[^/]/.test(text);
}

/** Exactly the same, but for the port on this machine, which a program gets when it asks (RFC 8252). */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  if (!isRedirectUri(asked)) return false;
  const [a, b] = [new URL(registered), new URL(asked)];
  if (a.protocol !== "http:" || !isLocalAddress(registered) || a.hostname !== b.hostname)
    return false;
  a.port = "";
  b.port = "";
  return a.href === b.href;
}
