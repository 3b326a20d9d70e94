import { existsSync, readFileSync } from "node:fs";
import { createTwoFilesPatch } from "diff";
import {
  type Connection,
  configParts,
  copyProgramIfTemporary,
  type FileChange,
  planChanges,
  writeChanges,
} from "../../clients/connect/index.ts";
import { clients } from "../../clients/index.ts";
import { SESSION_FOLDERS } from "../../ingest/sources/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";
import { confirm } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { detectStyle } from "../render/style.ts";
import type { Connections } from "./open-connections.ts";

export interface ChangeRequest {
  readonly connections: Connections;
  readonly connection: Connection;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Shows the change, confirms, backs up and writes it; `--remove` reverts it. */
export async function changeClient(
  line: CommandLine,
  { connections, connection, options }: ChangeRequest,
): Promise<number | undefined> {
  const { client } = connection;
  const action = options.remove === true ? "remove" : "connect";
  const asJson = options.json === true;
  const changes = planChanges(configParts(connections.places, connection), action);
  const answer = (status: string, files: readonly object[]) =>
    line.stdout.write(`${JSON.stringify({ client: client.name, status, files })}\n`);
  const diffs = changes.map((change) => ({ file: change.file, diff: createDiff(change) }));
  if (!asJson) for (const { diff } of diffs) line.stdout.write(colorDiff(line, diff));
  if (action === "connect") {
    for (const sentence of connections.withheld(connection.scope)) line.logger.warn(sentence);
  }
  if (changes.length === 0) {
    if (asJson) answer("unchanged", []);
    else line.stdout.write(`${client.title} ${ALREADY_MESSAGES[action]}; nothing to change.\n`);
    return undefined;
  }
  if (options.dryRun === true) {
    if (asJson) answer("dry_run", diffs);
    else line.stdout.write("Nothing was written: this was a dry run.\n");
    return undefined;
  }
  // Shown before confirmation: the user decides what is recorded and permitted.
  if (action === "connect" && !asJson) {
    if (client.hooks !== undefined) line.stdout.write(`${RECORDING_NOTE}\n`);
    if (client.approves !== undefined) line.stdout.write(`${client.approves}\n`);
    if (connection.scope === "project" && client.hooks !== undefined) {
      line.stdout.write(`${SHARED_HOOKS_NOTE}\n`);
    }
  }
  const question =
    action === "connect" ? `Connect ${client.title}?` : `Disconnect ${client.title}?`;
  if (options.yes !== true && !(await confirm(line, question))) {
    line.stderr.write("Nothing was written. `--yes` writes without asking.\n");
    return EXIT.failed;
  }
  const { home, project } = connections.places;
  const roots = [home, project];
  if (action === "connect" && connection.scope === "user") {
    await copyProgramIfTemporary(connections.program, () => listConfigTexts(connections));
  }
  const written = await writeChanges(changes, { aim: action, now: new Date(), roots });
  if (asJson) {
    answer(action === "connect" ? "connected" : "removed", written);
    return undefined;
  }
  for (const { file, backup } of written) {
    if (!existsSync(file)) {
      line.stdout.write(`Removed ${file}: it contained only cairn's entries.\n`);
      continue;
    }
    line.stdout.write(
      `Wrote ${file}${backup === undefined ? "" : `; the previous version is ${backup}`}\n`,
    );
  }
  if (action === "connect") {
    line.stdout.write(`${client.afterwards}\n`);
    if (Object.hasOwn(SESSION_FOLDERS, client.name)) line.stdout.write(statedBefore(client.name));
  }
  return undefined;
}

const SHARED_HOOKS_NOTE =
  "The hooks in this shared file call `cairn`: everybody on the project installs it with `npm install -g cairn-memory`.";

const RECORDING_NOTE =
  'Its hooks store session messages and the files and commands they mention in cairn\'s memory on this machine (or on the server set by `database`); keys and passwords are masked. `cairn list sources` lists them, `cairn delete` and `cairn purge` remove them, and {"sources": {"off": ["sessions"]}} in .cairn/config.json turns this off for a project.';

/** Returns the user's client configs, in which the program may be registered. */
function listConfigTexts({ places, for: connectionFor }: Connections): string[] {
  const files = clients.flatMap((client) =>
    configParts(places, connectionFor(client, "user")).map(({ file }) => file),
  );
  return files.filter(existsSync).map((file) => readFileSync(file, "utf8"));
}

const statedBefore = (name: string) =>
  `\`cairn import --from ${name}\`, run in a project, imports its earlier sessions.\n`;

const ALREADY_MESSAGES = { connect: "is connected", remove: "is not connected" } as const;

function createDiff({ file, config, after }: FileChange): string {
  const patch = createTwoFilesPatch(file, file, config.text ?? "", after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return stripControl(patch);
}

function colorDiff(line: CommandLine, diff: string): string {
  const { green, red, dim } = detectStyle(line).colors;
  const paint = (row: string) => {
    if (row.startsWith("+++") || row.startsWith("---") || row.startsWith("@@")) return dim(row);
    if (row.startsWith("+")) return green(row);
    return row.startsWith("-") ? red(row) : row;
  };
  return diff.split("\n").map(paint).join("\n");
}
