import { invalidInput } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { DescribedCommand } from "../describe-program.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** The `completion` command; `describeAll` tells every command of the program with its options. */
export const completion = (
  describeAll: () => Promise<readonly DescribedCommand[]>,
): CliCommand => ({
  name: "completion",
  reader: "person",
  summary: "Print a completion script for bash, zsh or fish",
  group: "Upkeep",
  example:
    'eval "$(cairn completion bash)"\ncairn completion zsh > ~/.zfunc/_cairn\ncairn completion fish > ~/.config/fish/completions/cairn.fish',
  configure(command) {
    command.argument("<shell>", SHELLS.join(", "));
  },
  async run(line, [given = ""]) {
    const shell = SHELLS.find((name) => name === given);
    if (shell === undefined) {
      throw invalidInput(
        `shell: there is no script for "${given}", only for ${SHELLS.join(", ")}.`,
      );
    }
    const { COMPLETION_SCRIPTS } = await import("../completion/scripts.ts");
    line.stdout.write(COMPLETION_SCRIPTS[shell](await describeAll()));
    return undefined;
  },
});
