import {
  type Client,
  findPlaces,
  type Places,
  requireClient,
  type Scope,
} from "../../clients/index.ts";
import { loadConfig, secretVariables } from "../../config/index.ts";
import {
  type Connection,
  handedOnVariables,
  ownCommand,
  placeFlags,
  serverCommand,
  shellLine,
} from "../../connections/index.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { packageRoot } from "../../kernel/package-root.ts";
import type { CommandLine } from "../command-line.ts";
import { packageName, version } from "../version.ts";

/** How cairn would stand in any client's config, by this command line. */
export interface Connections {
  readonly places: Places;
  /** Names of variables with a secret that the server would need and the config does not get. */
  readonly withheld: readonly string[];
  /** Throws invalid_input for an unknown client, and for a scope that it does not have. */
  of(name: string): Connection;
  for(client: Client, scope: Scope): Connection;
}

export function openConnections(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
): Connections {
  const { env, cwd } = line;
  const config = loadConfig({ flags: { db: options.db, dataDir: options.dataDir }, env, cwd });
  const places = findPlaces({ env, cwd });
  const own = ownCommand({
    packageRoot: packageRoot(),
    packageName: packageName(),
    version: version(),
    node: process.execPath,
    platform: places.platform,
  });
  const db = typeof options.db === "string" ? options.db : env.CAIRN_DB || undefined;
  const place = { own, dataDir: config.dataDir, db };
  const handedOn = handedOnVariables(env, secretVariables());
  const server = serverCommand({ ...place, flags: serverFlags(options), env: handedOn.env });
  const hookLine = (client: Client) => (event: string) =>
    shellLine(
      [...own, "hook", client.name, event, ...placeFlags(config.dataDir, db)],
      places.platform,
    );
  const connectionFor = (client: Client, scope: Scope): Connection => ({
    client,
    scope,
    server,
    hookLine: options.hooks === false ? undefined : hookLine(client),
  });
  return {
    places,
    withheld: handedOn.withheld,
    for: connectionFor,
    of(name) {
      const client = requireClient(name);
      const scope = options.project === true ? "project" : "user";
      if (client.scopes.includes(scope)) return connectionFor(client, scope);
      throw invalidInput(`--project: ${client.title} reads no config in the project.`);
    },
  };
}

function serverFlags(options: Readonly<Record<string, unknown>>): string[] {
  return ["tools", "interface"].flatMap((name) => {
    const value = options[name];
    return typeof value === "string" ? [`--${name}`, value] : [];
  });
}
