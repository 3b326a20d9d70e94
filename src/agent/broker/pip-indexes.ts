import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type AddressWithLogin, loginOf } from "./login-in-address.ts";

export interface PipIndexes {
  /** Undefined: the public one, or one that nobody has to log in to. */
  readonly main: AddressWithLogin | undefined;
  readonly further: readonly (AddressWithLogin | string)[];
}

/** Variables in which people keep a package index with its log-in. */
export const PIP_VARIABLES = ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"] as const;

/** Below the home folder; the one that is named last wins, as pip has it. */
const PIP_CONFIGS = [".pip/pip.conf", ".config/pip/pip.conf"] as const;

/** What the person's own config of pip names; undefined: nothing of it wants a log-in. */
export async function pipIndexes(
  environment: Readonly<Record<string, string>>,
): Promise<PipIndexes | undefined> {
  const values = new Map<string, string>();
  for (const name of PIP_CONFIGS) {
    const text = await readFile(join(homedir(), name), "utf8").catch(() => "");
    for (const [key, value] of valuesOf(text)) values.set(key, value);
  }
  const [main, further] = [
    environment.PIP_INDEX_URL ?? values.get("index-url") ?? "",
    environment.PIP_EXTRA_INDEX_URL ?? values.get("extra-index-url") ?? "",
  ];
  const indexes = {
    main: await loginOf(main),
    further: await Promise.all(
      further
        .split(/\s+/)
        .filter((word) => word !== "")
        .map(async (address) => (await loginOf(address)) ?? address),
    ),
  };
  const isAnyLoggedIn =
    indexes.main !== undefined || indexes.further.some((one) => typeof one !== "string");
  return isAnyLoggedIn ? indexes : undefined;
}

/** Of the sections that `pip install` and `pip download` go by; a value goes on in indented lines. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let section = "";
  let last = "";
  for (const line of text.split(/\r?\n/)) {
    const named = /^\[(.+?)\]\s*$/.exec(line)?.[1];
    const [, key, value] = /^([A-Za-z][\w-]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    const isOfPip = ["global", "install", "download"].includes(section);
    if (named !== undefined) section = named;
    else if (!isOfPip || /^\s*[#;]/.test(line)) continue;
    else if (key !== undefined) {
      last = key.replaceAll("_", "-");
      values.set(last, value ?? "");
    } else if (/^\s+\S/.test(line)) {
      values.set(last, `${values.get(last) ?? ""} ${line.trim()}`.trim());
    }
  }
  return values;
}
