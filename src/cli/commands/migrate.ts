import type { MigratedDatabase } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";

export const migrate: CliCommand = {
  name: "db migrate",
  reader: "person",
  summary: "Bring databases to the tables of this version, while servers of the one before go on",
  group: "Upkeep",
  example: "cairn db migrate --dry-run\ncairn db migrate\ncairn db migrate --finish",
  configure(command) {
    command
      .option("--dry-run", "say what there is to do, change nothing")
      .option("--finish", "also what stops servers of the version before: once none is left");
  },
  run: (line, _args, options) =>
    withApp(line, options, async (app) => {
      const dryRun = options.dryRun === true;
      const databases = await app.store.migrate({ dryRun, finish: options.finish === true });
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ dry_run: dryRun, databases })}\n`);
        return EXIT.ok;
      }
      const texts = databases.map((one) => describe(one, dryRun));
      if (texts.length === 0) texts.push("There are no databases.");
      if (databases.some(({ left }) => left.length > 0)) {
        texts.push(
          "`cairn db migrate --finish` runs what is left; servers of older versions then stop.",
        );
      }
      line.stdout.write(`${texts.join("\n")}\n`);
      return EXIT.ok;
    }),
};

function describe({ name, from, to, scripts, left }: MigratedDatabase, dryRun: boolean): string {
  const verb = dryRun ? "would go" : "went";
  const done =
    scripts.length === 0
      ? `${name}: schema ${from}, nothing to do.`
      : `${name}: ${verb} from schema ${from} to ${to} (${scripts.join(", ")}).`;
  return left.length === 0 ? done : `${done} Left: ${left.join(", ")}.`;
}
