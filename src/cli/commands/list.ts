import type { CliCommand } from "../cli-command.ts";

/**
 * `cairn list <noun>`. The words are put in order before commands are looked up, so that what lists a
 * noun is run with its own options; this is what the help shows.
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
