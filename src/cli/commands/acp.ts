import type { CliCommand } from "../cli-command.ts";
import { appOptions } from "../command-line.ts";
import { version } from "../version.ts";

export const acp: CliCommand = {
  name: "acp",
  reader: "model",
  summary: "Serve the agent to an editor over the Agent Client Protocol",
  group: "Servers",
  shelf: "servers",
  example: "cairn acp",
  configure(command) {
    command
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent")
      .option("--permission <mode>", "what runs without asking: plan, ask, edits or auto");
  },
  async run(line, _args, options) {
    const [{ serveAcp }, { secretNames }] = await Promise.all([
      import("../../app/index.ts"),
      import("../../agent/index.ts"),
    ]);
    line.hideEnvironment?.(secretNames(line.env));
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
    await serveAcp({
      ...appOptions(line, options),
      version: version(),
      stdin: line.stdin,
      stdout: line.stdout as NodeJS.WriteStream,
      signal: stopped.signal,
    });
    return 0;
  },
};
