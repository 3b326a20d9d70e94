import {
  configParts,
  findInstalled,
  partState,
  readServerEntry,
} from "../../clients/connect/index.ts";
import type { Client, Scope } from "../../clients/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import type { Connections } from "./open-connections.ts";

/** `differs`: connected, but not as this command line would do it. `broken`: a config cannot be read. */
export type ConnectionState = "connected" | "differs" | "absent" | "broken";

export interface ClientState {
  readonly client: string;
  readonly title: string;
  /** What shows that the client is installed; null: nothing. */
  readonly installed: string | null;
  readonly scopes: readonly {
    readonly scope: Scope;
    readonly state: ConnectionState;
    readonly files: readonly string[];
    readonly hooks: boolean;
    /** Why it is broken. */
    readonly problem?: string;
  }[];
}

export function clientState(connections: Connections, client: Client): ClientState {
  return {
    client: client.name,
    title: client.title,
    installed: findInstalled(connections.places, client) ?? null,
    scopes: client.scopes.map((scope) => scopeState(connections, client, scope)),
  };
}

function scopeState(connections: Connections, client: Client, scope: Scope) {
  const { places } = connections;
  const connection = connections.for(client, scope);
  const parts = configParts(places, connection);
  const files = parts.map(({ file }) => file);
  const hooks = client.hooks !== undefined;
  try {
    const states = parts.map(partState);
    const entry = readServerEntry(places, client, scope);
    if (entry === undefined) return { scope, state: "absent" as const, files, hooks };
    const isCurrent = states.every((state) => state === "current");
    return {
      scope,
      state: isCurrent ? ("connected" as const) : ("differs" as const),
      files,
      hooks,
    };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { scope, state: "broken" as const, files, hooks, problem: error.message };
  }
}
