import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "@decimalturn/toml-patch";
import { isPlainObject } from "../../shared/json.ts";

export interface CargoRegistry {
  readonly name: string;
  /** Ends in a slash. */
  readonly index: URL;
  readonly token: string;
}

/** A name that needs no quotes, in a variable and in TOML. */
const NAME = /^[A-Za-z][\w-]{0,60}$/;

/** In which people keep tokens of cargo. */
export function cargoTokenVariables(environment: Readonly<Record<string, string>>) {
  return Object.keys(environment).filter((name) =>
    /^CARGO_(REGISTRY|REGISTRIES_[A-Z0-9_]+)_TOKEN$/.test(name),
  );
}

/**
 * Registries that the person's own config names and has a token for, by the protocol that reads single
 * files. The public one is none of them: everybody reads it.
 */
export async function cargoRegistries(
  environment: Readonly<Record<string, string>>,
): Promise<readonly CargoRegistry[]> {
  const home = environment.CARGO_HOME ?? join(homedir(), ".cargo");
  const config = await firstOf(home, ["config.toml", "config"]);
  const credentials = await firstOf(home, ["credentials.toml", "credentials"]);
  const named = tableOf(config, "registries");
  const kept = tableOf(credentials, "registries");
  return Object.entries(named).flatMap(([name, table]) => {
    const index = textOf(table, "index")?.replace(/^sparse\+/, "");
    const variable = `CARGO_REGISTRIES_${name.toUpperCase().replaceAll("-", "_")}_TOKEN`;
    const token = environment[variable] ?? textOf(kept[name], "token") ?? textOf(table, "token");
    const isSparse = textOf(table, "index")?.startsWith("sparse+http") === true;
    if (!NAME.test(name) || !isSparse || token === undefined) return [];
    if (index === undefined || !URL.canParse(index)) return [];
    return [{ name, index: new URL(index.replace(/\/*$/, "/")), token }];
  });
}

async function firstOf(home: string, names: readonly string[]): Promise<unknown> {
  for (const name of names) {
    const text = await readFile(join(home, name), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    try {
      return parse(text);
    } catch {
      // Cargo itself says what is wrong with it, as soon as it is run.
      return {};
    }
  }
  return {};
}

function tableOf(document: unknown, name: string): Readonly<Record<string, unknown>> {
  const table = isPlainObject(document) ? document[name] : undefined;
  return isPlainObject(table) ? table : {};
}

function textOf(table: unknown, name: string): string | undefined {
  const value = isPlainObject(table) ? table[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
