import pMap from "p-map";
import type { App } from "../../app/index.ts";
import type { DatabaseInfo } from "../../memory/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../command-line.ts";

export const databases: CliCommand = {
  name: "list databases",
  reader: "person",
  summary: "List databases and show which one is in use",
  group: "Upkeep",
  example: "cairn list databases",
  run: (line, _args, options) =>
    withApp(line, options, async (app) => {
      const { name: inUse } = app.config.database;
      const found = await describeAll(app);
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ in_use: inUse, databases: found })}\n`);
        return undefined;
      }
      if (found.length === 0) {
        line.stdout.write(
          `No database in ${app.config.dataDir} yet; the first write here creates "${inUse}".\n`,
        );
        return undefined;
      }
      const [{ alignColumns }, { detectStyle: getStyle }, { showAge, toInline: inLine }] =
        await Promise.all([
          import("../render/lay-out.ts"),
          import("../render/style.ts"),
          import("../render/show-value.ts"),
        ]);
      const style = getStyle(line);
      const { bold, cyan, dim, green } = style.colors;
      const rows = found.map((one) => [
        one.in_use ? green("*") : "",
        bold(cyan(one.name)),
        one.problem === undefined ? `${one.episodes} episodes` : inLine(one.problem),
        one.open_conflicts ? `${one.open_conflicts} open conflicts` : "",
        `${Math.ceil(one.size / 1024)} KiB`,
        dim(showAge(one.modified_at, style)),
        one.in_use
          ? `in use here${one.project === null ? "" : `: ${one.project}`}`
          : (one.project ?? ""),
      ]);
      const head = ["", "database", "holds", "", "size", "changed", "project"].map(dim);
      const isTable = found.length > 1 && style.columns !== Number.POSITIVE_INFINITY;
      const table = alignColumns(isTable ? [head, ...rows] : rows, style.columns);
      if (!found.some((one) => one.in_use)) {
        table.push(dim(`In use here: "${inUse}", created by the first write.`));
      }
      line.stdout.write(`${table.join("\n")}\n`);
      return undefined;
    }),
};

interface DescribedDatabase extends DatabaseInfo {
  readonly in_use: boolean;
  readonly project: string | null;
  readonly episodes?: number;
  readonly open_conflicts?: number;
  readonly problem?: string;
}

const MAX_CONCURRENT_COUNTS = 5;

async function describeAll(app: App): Promise<readonly DescribedDatabase[]> {
  const { readProjects } = await import("../../app/index.ts");
  const projects = readProjects(app.config.dataDir);
  return pMap(
    await app.store.list(),
    async (info) => ({
      ...info,
      in_use: info.name === app.config.database.name,
      project: projects[info.name] ?? null,
      ...(await loadCounts(app, info.name)),
    }),
    { concurrency: MAX_CONCURRENT_COUNTS },
  );
}

async function loadCounts(app: App, name: string) {
  try {
    const { episodes, conflicts } = await app.store.open(name).execute("stats", {});
    return { episodes: episodes.total, open_conflicts: conflicts.open };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
