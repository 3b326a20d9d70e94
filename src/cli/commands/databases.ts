import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../open-app.ts";

export const databases: CliCommand = {
  name: "databases",
  summary: "List the databases of the data directory",
  group: "Upkeep",
  noun: "databases",
  example: "cairn databases",
  run: (line, _args, options) =>
    withApp(line, options, async (app) => {
      const found = app.store.list();
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ databases: found })}\n`);
        return undefined;
      }
      if (found.length === 0) {
        line.stdout.write(`No database in ${app.config.dataDir} yet.\n`);
        return undefined;
      }
      const [{ alignColumns }, { styleOf }, { showAge }] = await Promise.all([
        import("../render/lay-out.ts"),
        import("../render/style.ts"),
        import("../render/show-value.ts"),
      ]);
      const style = styleOf(line);
      const { bold, cyan, dim } = style.colors;
      const rows = found.map(({ name, size, modified_at: changed }) => [
        bold(cyan(name)),
        `${Math.ceil(size / 1024)} KiB`,
        dim(showAge(changed, style)),
        name === app.store.defaultDatabase ? "in use here" : "",
      ]);
      line.stdout.write(`${alignColumns(rows, style.columns).join("\n")}\n`);
      return undefined;
    }),
};
