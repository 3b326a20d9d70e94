import type { ChosenDatabase } from "../../config/index.ts";
import { stripControl } from "../../shared/text.ts";
import type { CliCommand } from "../cli-command.ts";

export const config: CliCommand = {
  name: "config",
  reader: "person",
  summary: "Show active settings and where each comes from",
  group: "Upkeep",
  example: "cairn config\ncairn config --all",
  configure(command) {
    command.option("--all", "include defaults and unset settings");
  },
  async run(line, _args, options) {
    const { describeConfig, loadConfig } = await import("../../config/index.ts");
    const { db, dataDir, database, all, json } = options;
    const loaded = loadConfig({
      flags: { db, dataDir, database },
      env: line.env,
      cwd: line.cwd,
      reader: line.reader,
    });
    for (const warning of loaded.warnings) line.logger.warn(warning);
    const settings = describeConfig(loaded);
    if (json === true) {
      line.stdout.write(
        `${JSON.stringify({ settings, data_dir: loaded.dataDir, database: loaded.database })}\n`,
      );
      return undefined;
    }
    const { userConfigFile, projectConfigFile } = loaded.paths;
    line.stdout.write(
      `user config     ${userConfigFile}\nproject config  ${projectConfigFile} (${loaded.trust})\n` +
        `data directory  ${loaded.dataDir}\n` +
        `database        ${loaded.database.name} (${describeOrigin(loaded.database)})\n\n`,
    );
    const selected = settings.filter(({ source }) => all === true || source.origin !== "default");
    const width = Math.max(0, ...selected.map(({ key }) => key.length));
    for (const { key, value, source } of selected) {
      const text = value === undefined ? "(not set)" : JSON.stringify(value);
      const origin = source.name === "" ? source.origin : source.name;
      line.stdout.write(stripControl(`${key.padEnd(width)}  ${text}  (${origin})\n`));
    }
    if (selected.length === 0)
      line.stdout.write("All settings have default values; `cairn config --all` lists them\n");
    return undefined;
  },
};

/** Explains why this database is in use. */
function describeOrigin({ by, source }: ChosenDatabase): string {
  if (by === "default") return "your own; no project sets one";
  return by === "git" ? `of the git work tree ${source}` : source;
}
