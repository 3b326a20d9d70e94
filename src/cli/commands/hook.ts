import { Option } from "commander";
import type { CliCommand } from "../cli-command.ts";

export const hook: CliCommand = {
  name: "hook",
  reader: "model",
  summary: "Handle a hook event of a client; set up by cairn connect",
  group: "Servers",
  hidden: true,
  example:
    'cairn hook claude-code session-start < event.json\necho \'{"prompt": "Why Redis?"}\' | cairn hook claude-code prompt --debug',
  configure(command) {
    command
      .argument("[client]", "as for cairn connect")
      .argument("[event]", "session-start, prompt, tool, compact, stop or session-end")
      .option(
        "--timeout <ms>",
        "recall timeout per prompt (default: 300; 600 with the embedding model; 1500 in the daemon)",
      )
      .addOption(new Option("--patience <ms>", "former name of --timeout").hideHelp())
      .option("--debug", "report errors and timing on standard error")
      .allowUnknownOption()
      .allowExcessArguments();
  },
  async run(line, words, options) {
    const { runHook } = await import("../hook/run-hook.ts");
    await runHook(line, { words, options }, async (run) => {
      if (run.event === "tool") {
        const { hookMoment } = await import("../hook/hook-moment.ts");
        return hookMoment(run);
      }
      if (run.event === "session-start" || run.event === "prompt") {
        const { hookContext } = await import("../hook/hook-context.ts");
        return hookContext(run);
      }
      const { hookCapture } = await import("../hook/hook-capture.ts");
      await hookCapture(run);
      return undefined;
    });
    return undefined;
  },
};
