import { isPlainObject } from "../../shared/json.ts";
import type { ClientLocations } from "../index.ts";
import {
  type Client,
  type ConfigPart,
  HOOK_EVENTS,
  type HookEvent,
  type OwnedValue,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "../index.ts";
import { SCRIPT_PATH } from "./documents/script-document.ts";

export interface Connection {
  readonly client: Client;
  readonly scope: Scope;
  readonly server: ServerCommand;
  /** Command line of a hook; undefined if hooks are disabled. */
  readonly hookLine: ((event: HookEvent) => string) | undefined;
}

export function configParts(locations: ClientLocations, connection: Connection): ConfigPart[] {
  const { client, scope, server } = connection;
  const servers = client.server.files(locations, scope).map(
    (file): ConfigPart => ({
      file,
      format: client.server.format,
      owned: [serverValue(client, server)],
      ...(client.server.initial !== undefined && { initial: client.server.initial }),
    }),
  );
  const hasExtras = connection.hookLine !== undefined;
  const ownFiles = hasExtras ? (client.files?.(locations, scope) ?? []) : [];
  const files = ownFiles.map(
    ({ file, text }): ConfigPart => ({
      file,
      format: "script",
      owned: [{ kind: "value", path: SCRIPT_PATH, value: text, isOurs: () => true }],
    }),
  );
  return mergeFiles([
    ...servers,
    ...hookParts(locations, connection),
    ...(hasExtras ? (client.items?.(locations, scope) ?? []) : []),
    ...files,
  ]);
}

function serverValue({ server }: Client, command: ServerCommand): OwnedValue {
  const value = server.entry(command);
  if (server.list !== true) {
    const isOurs = (present: unknown) => server.read(present) !== undefined;
    return { kind: "value", path: [...server.path, SERVER_NAME], value, isOurs };
  }
  const isOurs = (item: unknown) => isPlainObject(item) && item.name === SERVER_NAME;
  return { kind: "item", path: server.path, value, isOurs };
}

function hookParts(
  locations: ClientLocations,
  { client, scope, hookLine }: Connection,
): ConfigPart[] {
  const { hooks } = client;
  if (hooks === undefined || hookLine === undefined) return [];
  const file = hooks.file(locations, scope);
  if ("script" in hooks) {
    const value = hooks.script(hookLine);
    return [
      {
        file,
        format: "script",
        owned: [{ kind: "value", path: SCRIPT_PATH, value, isOurs: () => true }],
      },
    ];
  }
  const owned = HOOK_EVENTS.flatMap((event): OwnedValue[] => {
    const name = hooks.events[event];
    if (name === undefined) return [];
    const value = hooks.entry({ event, name, line: hookLine(event) });
    return [{ kind: "item", path: ["hooks", name], value, isOurs: hookMatcher(client, event) }];
  });
  return [
    { file, format: "json", owned, ...(hooks.initial !== undefined && { initial: hooks.initial }) },
  ];
}

/** Recognizes a hook by its words, even if cairn has moved. */
function hookMatcher(client: Client, event: HookEvent) {
  const words = `hook ${client.name} ${event}`;
  return (item: unknown) => {
    const text = JSON.stringify(item) ?? "";
    return text.includes(words) && text.includes("cairn");
  };
}

function mergeFiles(parts: readonly ConfigPart[]): ConfigPart[] {
  const merged = new Map<string, ConfigPart>();
  for (const part of parts) {
    const known = merged.get(part.file);
    merged.set(
      part.file,
      known === undefined ? part : { ...known, owned: [...known.owned, ...part.owned] },
    );
  }
  return [...merged.values()];
}
