import { invalidInput } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";

const DAEMON_REQUESTS = ["status", "stop"] as const;

export const daemon: CliCommand = {
  name: "daemon",
  reader: "person",
  summary: "Show or stop the background daemon: status, stop",
  group: "Upkeep",
  example: "cairn daemon status\ncairn daemon stop",
  configure(command) {
    command.argument("[what]", `${DAEMON_REQUESTS.join(" or ")} (default: status)`);
  },
  async run(line, [word = "status"], options) {
    const subcommand = DAEMON_REQUESTS.find((known) => known === word);
    if (subcommand === undefined)
      throw invalidInput(`what: must be ${DAEMON_REQUESTS.join(" or ")}, not "${word}"`);
    const { daemonFolder, controlDaemon } = await import("../../app/daemon/index.ts");
    const folder = daemonFolder(line.env);
    const status = folder === undefined ? undefined : await controlDaemon(folder, subcommand);
    if (options.json === true) {
      const running = status !== undefined && subcommand === "status";
      line.stdout.write(`${JSON.stringify({ running, ...status })}\n`);
      return undefined;
    }
    const { describeDaemon } = await import("../daemon/describe-daemon.ts");
    line.stdout.write(`${describeDaemon(status, subcommand)}\n`);
    return undefined;
  },
};
