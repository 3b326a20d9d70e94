import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export interface NpmRegistry {
  /** Ends in a slash. */
  readonly url: string;
  readonly authorization: string;
}

export const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

/** The registry that the person's own config names with a token; undefined: none has one. */
export async function npmRegistry(): Promise<NpmRegistry | undefined> {
  const text = await readFile(join(homedir(), ".npmrc"), "utf8").catch(() => "");
  const values = new Map(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*"?(.*?)"?\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  const given = values.get("registry") ?? PUBLIC_REGISTRY;
  if (!URL.canParse(given)) return undefined;
  const url = given.endsWith("/") ? given : `${given}/`;
  const place = url.replace(/^https?:/, "");
  const token = values.get(`${place}:_authToken`);
  const basic = values.get(`${place}:_auth`);
  // What names a variable is not known here.
  if (token !== undefined && !token.includes("${"))
    return { url, authorization: `Bearer ${token}` };
  return basic === undefined ? undefined : { url, authorization: `Basic ${basic}` };
}
