import {
  configParts,
  findInstalled,
  partState,
  readServerEntry,
} from "../../clients/connect/index.ts";
import { type Client, clients, type Scope } from "../../clients/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { alignColumns } from "../render/lay-out.ts";
import { detectStyle, type Style } from "../render/style.ts";
import type { Connections } from "./open-connections.ts";

export async function listClients(
  line: CommandLine,
  connections: Connections,
  asJson: boolean,
): Promise<undefined> {
  const states = clients.map((client) => clientState(connections, client));
  if (asJson) {
    line.stdout.write(`${JSON.stringify({ clients: states })}\n`);
    return undefined;
  }
  const style = detectStyle(line);
  const rows = states
    .filter(({ installed, scopes }) => installed !== null || scopes.some(isInstalledScope))
    .flatMap((state) => createRows(state, style));
  for (const row of alignColumns(rows, style.columns)) line.stdout.write(`${row}\n`);
  if (rows.length === 0) line.stdout.write("No supported client was found on this machine.\n");
  const absent = states.filter(
    ({ installed, scopes }) => installed === null && !scopes.some(isInstalledScope),
  );
  if (absent.length > 0) {
    const names = absent.map(({ client }) => client).join(", ");
    line.stdout.write(`\n${style.colors.dim(`Not found here: ${names}`)}\n`);
  }
  return undefined;
}

function isInstalledScope({ state }: ClientState["scopes"][number]): boolean {
  return state !== "absent";
}

function createRows({ client, scopes }: ClientState, { colors }: Style): string[][] {
  return scopes
    .filter((scope) => scope.scope === "user" || isInstalledScope(scope))
    .map(({ scope, state, files, problem }) => [
      colors.bold(client),
      STATE_MARKS[state](colors),
      scope,
      colors.dim(problem ?? files[0] ?? ""),
    ]);
}

const STATE_MARKS: Record<ConnectionState, (colors: Style["colors"]) => string> = {
  connected: ({ green }) => green("connected"),
  differs: ({ yellow }) => yellow("differs"),
  absent: ({ dim }) => dim("not connected"),
  broken: ({ red }) => red("broken"),
};

/** `differs`: connected with other options. `broken`: a config cannot be read. */
type ConnectionState = "connected" | "differs" | "absent" | "broken";

interface ClientState {
  readonly client: string;
  readonly title: string;
  /** Evidence that the client is installed; null if there is none. */
  readonly installed: string | null;
  readonly scopes: readonly {
    readonly scope: Scope;
    readonly state: ConnectionState;
    readonly files: readonly string[];
    readonly hooks: boolean;
    readonly problem?: string;
  }[];
}

function clientState(connections: Connections, client: Client): ClientState {
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
