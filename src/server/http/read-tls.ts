import { readFileSync } from "node:fs";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import type { HttpSettings } from "./settings.ts";

export function readTls({
  tlsCert,
  tlsKey,
}: Pick<HttpSettings, "tlsCert" | "tlsKey">):
  | { readonly cert: string; readonly key: string }
  | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw invalidInput("tlsCert, tlsKey: HTTPS requires both the certificate and its key.");
  }
  return { cert: readPem("tlsCert", tlsCert), key: readPem("tlsKey", tlsKey) };
}

function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalidInput(`${setting}: ${file} cannot be read (${messageOf(error)})`);
  }
}
