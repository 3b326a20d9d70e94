import { type Connection, checkServer, readServerEntry } from "../../clients/connect/index.ts";
import { notFound } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { version } from "../version.ts";
import type { Connections } from "./open-connections.ts";

/** About as long as clients wait for a server. */
const TIMEOUT_MS = 30_000;

export async function checkClient(
  line: CommandLine,
  {
    connections,
    connection,
    asJson,
  }: { connections: Connections; connection: Connection; asJson: boolean },
): Promise<undefined> {
  const { client, scope } = connection;
  const entry = readServerEntry(connections.places, client, scope);
  if (entry === undefined) {
    throw notFound(
      `${client.title} has no "cairn" entry yet. Run \`cairn connect ${client.name}\` first.`,
    );
  }
  const seen = await checkServer(entry, {
    cwd: line.cwd,
    version: version(),
    timeoutMs: TIMEOUT_MS,
  });
  if (asJson) {
    const command = [entry.command, ...entry.args];
    line.stdout.write(`${JSON.stringify({ client: client.name, command, ...seen })}\n`);
    return undefined;
  }
  const { server, tools, database, episodes, concepts, milliseconds } = seen;
  line.stdout.write(
    `${client.title} starts ${[entry.command, ...entry.args].join(" ")}\n` +
      `${server} responds in ${milliseconds} ms with ${tools} tools, using the database "${database}": ` +
      `${episodes} episodes, ${concepts} concepts.\n`,
  );
  return undefined;
}
