import { isPlainObject } from "../../shared/json.ts";
import type { Places } from "../index.ts";
import { type Client, type Scope, SERVER_NAME, type ServerCommand } from "../index.ts";
import { parsePart } from "./plan-changes.ts";
import { readConfig } from "./read-config.ts";

/**
 * How the client starts cairn, from the first of its configs that mentions it; undefined if none
 * does.
 */
export function readServerEntry(
  places: Places,
  client: Client,
  scope: Scope,
): ServerCommand | undefined {
  const { server } = client;
  for (const file of server.files(places, scope)) {
    const text = readConfig(file).text;
    if (text === undefined) continue;
    const content = parsePart({ file, format: server.format, owned: [] }, text);
    let value: unknown = content;
    for (const name of server.path) value = isPlainObject(value) ? value[name] : undefined;
    const entry = Array.isArray(value)
      ? value.find((item) => isPlainObject(item) && item.name === SERVER_NAME)
      : isPlainObject(value)
        ? value[SERVER_NAME]
        : undefined;
    const command = server.read(entry);
    if (command !== undefined) return command;
  }
  return undefined;
}
