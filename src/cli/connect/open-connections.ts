import { join } from "node:path";
import {
  type Connection,
  inheritedVariables,
  locationFlags,
  type MemoryLocation,
  ownCommand,
  type ProgramOptions,
  removePassword,
  SHARED_HOOK_COMMAND,
  serverCommand,
  sharedCommand,
  shellLine,
  stableRoot,
} from "../../clients/connect/index.ts";
import {
  type Client,
  type ClientLocations,
  findLocations,
  requireClient,
  type Scope,
} from "../../clients/index.ts";
import { loadConfig, secretVariables } from "../../config/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import type { CommandLine } from "../command-line.ts";
import { packageName, version } from "../version.ts";

export interface Connections {
  readonly places: ClientLocations;
  /** The program started by the user's own configs. */
  readonly program: ProgramOptions;
  withheld(scope: Scope): readonly string[];
  /** Throws invalid_input for an unknown client or an unsupported scope. */
  of(name: string): Connection;
  for(client: Client, scope: Scope): Connection;
}

export function openConnections(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
): Connections {
  const { env, cwd } = line;
  const places = findLocations({ env, cwd });
  const handedOn = inheritedVariables(env, secretVariables());
  const entries: Readonly<Record<Scope, Entry>> = {
    user: createPersonalEntry(line, options, handedOn.env),
    project: createSharedEntry(options),
  };
  const connectionFor = (client: Client, scope: Scope): Connection => {
    const { own, hook, location, env: variables } = entries[scope];
    const hookLine = (event: string) =>
      shellLine([...hook, "hook", client.name, event, ...locationFlags(location)], places.platform);
    return {
      client,
      scope,
      server: serverCommand({ own, location, flags: serverFlags(options), env: variables }),
      hookLine: options.hooks === false ? undefined : hookLine,
    };
  };
  return {
    places,
    program: programOptions(line, options),
    withheld: (scope) =>
      scope === "user"
        ? withheldSecrets(handedOn.withheld, findDatabaseAddress(line, options))
        : describeWithheld(
            [...Object.keys(handedOn.env), ...handedOn.withheld],
            findDatabaseAddress(line, options),
          ),
    for: connectionFor,
    of(name) {
      const client = requireClient(name);
      const scope = options.project === true ? "project" : "user";
      if (client.scopes.includes(scope)) return connectionFor(client, scope);
      throw invalidInput(`--project: ${client.title} has no project config.`);
    },
  };
}

/** Command that the client starts, and the memory's location. */
interface Entry {
  readonly own: readonly [string, ...string[]];
  readonly hook: readonly string[];
  readonly location: MemoryLocation;
  readonly env: Readonly<Record<string, string>>;
}

function createPersonalEntry(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>>,
): Entry {
  const { env, cwd, reader } = line;
  const flags = { db: options.db, dataDir: options.dataDir };
  const { dataDir } = loadConfig({ flags, env, cwd, reader });
  const own = ownCommand(programInstallation(stableRoot(programOptions(line, options))));
  const db = typeof options.db === "string" ? options.db : env.CAIRN_DB || undefined;
  const address = findDatabaseAddress(line, options);
  const database = address === undefined ? undefined : removePassword(address);
  return { own, hook: own, location: { dataDir, db, database }, env: variables };
}

function createSharedEntry(options: Readonly<Record<string, unknown>>): Entry {
  const db = typeof options.db === "string" ? options.db : undefined;
  const location = { dataDir: undefined, db, database: undefined };
  return {
    own: sharedCommand(programInstallation(packageRoot())),
    hook: SHARED_HOOK_COMMAND,
    location: location,
    env: {},
  };
}

function programOptions(
  { env, cwd, reader }: CommandLine,
  { dataDir: input }: Readonly<Record<string, unknown>>,
): ProgramOptions {
  const { dataDir } = loadConfig({ flags: { dataDir: input }, env, cwd, reader });
  return { packageRoot: packageRoot(), programs: join(dataDir, "programs"), version: version() };
}

function programInstallation(root: string) {
  return {
    packageRoot: root,
    packageName: packageName(),
    version: version(),
    node: process.execPath,
  };
}

/** Returns this shell's PostgreSQL address; an address in the config file needs no passing on. */
function findDatabaseAddress(
  { env }: CommandLine,
  { database }: Readonly<Record<string, unknown>>,
): string | undefined {
  return typeof database === "string" ? database : env.CAIRN_DATABASE || undefined;
}

function withheldSecrets(names: readonly string[], address: string | undefined): string[] {
  const secrets = names.map(
    (name) =>
      `${name} is a secret and is not written to the client's config. Set it in cairn's config file.`,
  );
  if (address === undefined || removePassword(address) === address) return secrets;
  return [
    ...secrets,
    `The database URL is written without its password. Add the password to ~/.pgpass as HOST:PORT:DATABASE:USER:PASSWORD.`,
  ];
}

function describeWithheld(names: readonly string[], address: string | undefined): string[] {
  const settings = names.filter((name) => name.startsWith("CAIRN_"));
  const own = [...settings, ...(address === undefined ? [] : ["CAIRN_DATABASE"])];
  if (own.length === 0) return [];
  return [
    `${own.join(", ")}: not written to a shared file. Everyone sets it in their own cairn config.`,
  ];
}

function serverFlags(options: Readonly<Record<string, unknown>>): string[] {
  return ["tools", "interface"].flatMap((name) => {
    const value = options[name] ?? (name === "tools" ? "core" : undefined);
    return typeof value === "string" ? [`--${name}`, value] : [];
  });
}
