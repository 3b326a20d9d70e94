import type { CliCommand } from "../cli-command.ts";

/**
 * `cairn list <noun>`. Arguments are rearranged before commands are looked up, so that the command
 * for the noun runs with its own options. This entry is only shown in the help.
 */
export const list = (nouns: readonly string[]): CliCommand => ({
  name: "list",
  reader: "person",
  aliases: ["ls"],
  summary: "List episodes, or what another noun names: cairn list concepts",
  group: "Memory",
  shelf: "everyday",
  example: "cairn list episodes --type decision\ncairn ls -n 5\ncairn list conflicts --json",
  configure(command) {
    command.argument("[noun]", `${nouns.join(", ")} (default: episodes)`);
    command.addHelpText("after", "\nEach has options of its own: cairn list episodes --help");
  },
  run: () => Promise.resolve(undefined),
});
