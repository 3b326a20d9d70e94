import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export interface AddressWithLogin {
  /** Without the log-in. */
  readonly url: URL;
  readonly authorization: string;
}

/** Of an address with a name and a password in it, or of one whose host the person's `.netrc` knows. */
export async function loginOf(address: string): Promise<AddressWithLogin | undefined> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const own =
    url.username === ""
      ? undefined
      : { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = "";
  url.password = "";
  const login = own ?? (await netrcLogin(url.hostname));
  if (login === undefined) return undefined;
  const told = Buffer.from(`${login.name}:${login.password}`).toString("base64");
  return { url, authorization: `Basic ${told}` };
}

async function netrcLogin(host: string) {
  const text = await readFile(join(homedir(), ".netrc"), "utf8").catch(() => "");
  const words = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join(" ")
    .split(/\s+/);
  for (let at = words.indexOf("machine"); at !== -1; at = words.indexOf("machine", at + 1)) {
    if (words[at + 1] !== host) continue;
    const rest = words.slice(at + 2);
    const end = rest.findIndex((word) => word === "machine" || word === "default");
    const entry = end === -1 ? rest : rest.slice(0, end);
    const wordAfter = (name: string) => entry[entry.indexOf(name) + 1];
    if (!entry.includes("login") || !entry.includes("password")) continue;
    return { name: wordAfter("login") ?? "", password: wordAfter("password") ?? "" };
  }
  return undefined;
}
