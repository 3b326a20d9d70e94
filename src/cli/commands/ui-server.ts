import type { CliCommand } from "../cli-command.ts";
import { appOptions } from "../command-line.ts";

export const uiServer: CliCommand = {
  name: "ui-server",
  reader: "model",
  summary: "Serve the agent to a user interface over WebSocket",
  group: "Servers",
  shelf: "servers",
  example: "cairn ui-server --ui-port 7434",
  configure(command) {
    command
      .option("--ui-host <address>", "address to listen on (default: 127.0.0.1)")
      .option("--ui-port <port>", "port to listen on, 0 for any free one (default: 7434)")
      .option("--token <token>", "token required of clients (better: CAIRN_TOKEN); auto: random")
      .option("--allow-host <name>", "additional allowed Host header; repeatable", collectValue)
      .option("--allow-origin <origin>", "allowed web origin; repeatable", collectValue)
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent")
      .option(
        "--permission <mode>",
        "plan, ask, edits or auto (default: auto, in the home folder ask)",
      );
  },
  async run(line, _args, options) {
    const [{ serveAgent }, { secretNames }] = await Promise.all([
      import("../../app/index.ts"),
      import("../../agent/index.ts"),
    ]);
    line.hideEnvironment?.(secretNames(line.env));
    return serveAgent(appOptions(line, options));
  },
};

function collectValue(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
