import type { FollowedRule } from "../../app/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { withApp } from "../open-app.ts";
import { confirmForGood } from "../purge/confirm-for-good.ts";
import { tellKept } from "../purge/verify-purged.ts";

export const retain: CliCommand = {
  name: "retain",
  reader: "person",
  summary: "Follow the rules of retention: delete or purge what they are about once it is old",
  group: "Corrections",
  example: "cairn retain --dry-run\ncairn retain --rule old-chat --yes",
  configure(command) {
    command
      .option("--rule <name>", "this rule of the setting retentionRules alone")
      .option("--dry-run", "show what each rule would take")
      .option("-y, --yes", "do not ask before a purge; needed where nobody can answer");
  },
  run: (line, _positionals, options) =>
    withApp(line, options, async (app) => {
      const { followRules } = await import("../../app/index.ts");
      const rules = app.config.settings.retentionRules;
      const rule = typeof options.rule === "string" ? options.rule : undefined;
      requireRule(Object.keys(rules), rule);
      const db = app.config.database.by === "flag" ? app.config.database.name : undefined;
      const isJson = options.json === true;
      if (options.dryRun === true) {
        const found = await followRules(app, { rule, db, isDry: true });
        tell(line, found, { isJson, isDry: true });
        return exitOf(found);
      }
      if (options.yes !== true && Object.values(rules).some(({ then }) => then === "purge")) {
        const found = await followRules(app, { rule, db, isDry: true });
        const count = purgedIn(found);
        if (count > 0 && !isJson) tell(line, found, { isJson, isDry: true });
        if (count > 0 && !(await confirmForGood(line, `${count} items`))) return EXIT.failed;
      }
      const followed = await followRules(app, { rule, db });
      tell(line, followed, { isJson, isDry: false });
      return exitOf(followed);
    }),
};

const purgedIn = (found: readonly FollowedRule[]): number =>
  found.reduce((sum, { action, did }) => sum + (action === "purge" ? (did?.taken ?? 0) : 0), 0);

function requireRule(names: readonly string[], rule: string | undefined): void {
  if (names.length === 0) {
    throw invalidInput(
      "retentionRules: there is no rule; write one into the config file, as the guide for teams shows",
    );
  }
  if (rule === undefined || names.includes(rule)) return;
  throw invalidInput(
    `--rule: there is no rule "${rule}" in retentionRules, only ${names.join(", ")}.${didYouMean(rule, names)}`,
  );
}

/** A rule that could be applied to at least one of its databases is not considered wrong. */
function exitOf(followed: readonly FollowedRule[]) {
  const works = new Set(followed.filter(({ did }) => did !== undefined).map(({ rule }) => rule));
  return followed.every(({ rule }) => works.has(rule)) ? EXIT.ok : EXIT.failed;
}

interface Told {
  readonly isJson: boolean;
  readonly isDry: boolean;
}

function tell(line: CommandLine, followed: readonly FollowedRule[], { isJson, isDry }: Told): void {
  if (isJson) {
    line.stdout.write(`${JSON.stringify({ dry_run: isDry, rules: followed })}\n`);
    return;
  }
  for (const one of followed) line.stdout.write(`${sentenceOf(one, isDry)}\n`);
  tellKept(line, [...new Set(followed.flatMap(({ did }) => did?.kept_elsewhere ?? []))]);
  if (followed.length === 0) line.stdout.write("No rule is about this database.\n");
}

const VERBS = {
  delete: ["deleted", "would delete"],
  purge: ["purged", "would purge"],
} as const;

function sentenceOf({ db, rule, action, did, problem }: FollowedRule, isDry: boolean): string {
  if (did === undefined) return `${db}: ${problem}`;
  const verb = VERBS[action][isDry ? 1 : 0];
  const ids = did.first.join(", ");
  const rest = did.taken > did.first.length ? ", …" : "";
  const of = did.taken === 0 ? "" : ` (${ids}${rest})`;
  const undo = did.changes.map((change) => `\`cairn undo ${change} --db ${db}\``).join(", ");
  const parts = [
    `${db}: ${rule} ${verb} ${did.taken}${of}`,
    ...(did.held > 0 ? [`${did.held} under a legal hold stay (${heldOf(did.first_held)})`] : []),
    ...(did.in_use > 0 ? [`${did.in_use} clusters stay as long as they have facts`] : []),
    ...(action === "delete" && undo !== "" ? [`${undo} takes it back`] : []),
  ];
  return `${parts.join("; ")}.`;
}

const heldOf = (held: readonly { readonly id: string; readonly hold: string }[]): string =>
  held.map(({ id, hold }) => `${id} hold=${hold}`).join(", ");
