import type { MigratedDatabase } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { withApp } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";

export const migrate: CliCommand = {
  name: "db migrate",
  reader: "person",
  summary: "Migrate databases while servers of the last version run",
  group: "Upkeep",
  example: "cairn db migrate --dry-run\ncairn db migrate\ncairn db migrate --finish",
  configure(command) {
    command
      .option("--dry-run", "list pending migrations without running them")
      .option("--finish", "also run migrations that the previous version cannot work with");
  },
  run: (line, _args, options) =>
    withApp(line, options, async (app) => {
      const dryRun = options.dryRun === true;
      const databases = await app.store.migrate({ dryRun, finish: options.finish === true });
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ dry_run: dryRun, databases })}\n`);
        return EXIT.ok;
      }
      const texts = databases.map((one) => describeMigration(one, dryRun));
      if (texts.length === 0) texts.push("There are no databases.");
      if (databases.some(({ left }) => left.length > 0)) {
        texts.push(
          "`cairn db migrate --finish` runs the rest; servers of older versions then stop.",
        );
      }
      line.stdout.write(`${texts.join("\n")}\n`);
      return EXIT.ok;
    }),
};

function describeMigration(
  { name, from, to, scripts, left }: MigratedDatabase,
  dryRun: boolean,
): string {
  const verb = dryRun ? "would go" : "went";
  const done =
    scripts.length === 0
      ? `${name}: schema ${from}, nothing to do.`
      : `${name}: ${verb} from schema ${from} to ${to} (${scripts.join(", ")}).`;
  return left.length === 0 ? done : `${done} Left: ${left.join(", ")}.`;
}
