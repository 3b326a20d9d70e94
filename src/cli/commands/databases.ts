import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../open-app.ts";

export const databases: CliCommand = {
  name: "databases",
  summary: "List the databases of the data directory",
  group: "Upkeep",
  example: "cairn databases",
  run: (line, _args, options) =>
    withApp(line, options, async (app) => {
      const found = app.store.list();
      if (options.json === true) line.stdout.write(`${JSON.stringify({ databases: found })}\n`);
      else if (found.length === 0) line.stdout.write("No database yet.\n");
      for (const database of options.json === true ? [] : found) {
        line.stdout.write(`${database.name}\t${Math.ceil(database.size / 1024)} KiB\n`);
      }
      return undefined;
    }),
};
