import { invalidInput } from "../../shared/errors.ts";
import { escapeHidden } from "../../shared/json.ts";
import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../command-line.ts";
import { findProjectRoot } from "../project-root.ts";

export const why: CliCommand = {
  name: "why",
  reader: "person",
  summary: "Show the session, prompt, decision and commit behind a line of a file",
  group: "Inspection",
  example: "cairn why src/pay.ts:12\ncairn why src/pay.ts:12 --json",
  configure(command) {
    command.argument("<file:line>", "relative to the project");
  },
  run: (line, [written], options) =>
    withMemory(line, options, async (memory, { config }) => {
      if (written === undefined) throw invalidInput("Name a line, such as src/pay.ts:12.");
      const {
        explainLine: whyLine,
        formatExplanation: whyText,
        findLineAuthors: writersOfLines,
      } = await import("../../agent/index.ts");
      const projectRoot = findProjectRoot(line.cwd, line.env);
      const checkpoints = writersOfLines(projectRoot, config.dataDir);
      const found = await whyLine({ projectRoot, memory, checkpoints }, written);
      line.stdout.write(`${options.json === true ? escapeHidden(found) : whyText(found)}\n`);
      return undefined;
    }),
};
