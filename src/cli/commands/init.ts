import { basename, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";

export const init: CliCommand = {
  name: "init",
  reader: "person",
  summary: "Create a database for this project",
  group: "Upkeep",
  shelf: "start",
  example: "cairn init\ncairn init shop",
  configure(command) {
    command
      .argument("[name]", "name of the database (default: the folder's name)")
      .option("--force", "change an existing config, keeping its other settings");
  },
  async run(line, [value], options) {
    const { writeProjectConfig } = await import("../write-project-config.ts");
    const file = join(line.cwd, ".cairn", "config.json");
    const force = options.force === true;
    const name = value ?? (typeof options.db === "string" ? options.db : await askName(line));
    await requireName(name);
    const { trustProject, trustStatus } = await import("../../config/index.ts");
    const context = { env: line.env, cwd: line.cwd };
    if (!force) await requireUncovered(context, file);
    const { state } = trustStatus(context);
    const written = await writeProjectConfig(file, { db: name }, force);
    if (written === "exists") {
      throw stateConflict(`${file} already exists. Edit it, or change its database with --force.`);
    }
    // A config that the user just wrote is trusted; earlier content needs a decision.
    if (state === "none" || state === "trusted") trustProject(context);
    if (options.json === true) line.stdout.write(`${JSON.stringify({ file, db: name })}\n`);
    else line.stdout.write(`Wrote ${file}: this project uses the database "${name}".\n`);
    return undefined;
  },
};

/** Throws conflict if an outer config already names a database for this folder. */
async function requireUncovered(
  location: { readonly env: CommandLine["env"]; readonly cwd: string },
  file: string,
): Promise<void> {
  const { loadConfig } = await import("../../config/index.ts");
  const { by, name, source } = loadConfig({
    ...location,
    reader: "person",
    env: { ...location.env, CAIRN_DB: "" },
  }).database;
  if (by !== "project" || source === file) return;
  throw stateConflict(
    `${source} already covers this folder: it uses the database "${name}". Use that database, or create a separate one with --force.`,
  );
}

async function askName(line: CommandLine): Promise<string> {
  const { createDatabaseName: databaseNameFor } = await import("../../config/index.ts");
  const proposal = databaseNameFor(basename(line.cwd)) || "default";
  if (line.stdin.isTTY !== true || line.stdout.isTTY !== true) return proposal;
  const question = createInterface({ input: line.stdin, output: line.stderr });
  try {
    const answer = await question.question(`Name of the database [${proposal}]: `);
    return answer.trim() || proposal;
  } finally {
    question.close();
  }
}

async function requireName(name: string): Promise<void> {
  const { isDatabaseName } = await import("../../memory/index.ts");
  if (isDatabaseName(name)) return;
  throw invalidInput(
    "name: a database name is 1 to 64 letters, digits, dots, underscores or hyphens, and starts with a letter or digit",
  );
}
