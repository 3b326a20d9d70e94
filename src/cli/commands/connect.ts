import { Option } from "commander";
import { invalidInput } from "../../shared/errors.ts";
import type { CliCommand } from "../cli-command.ts";

export const connect: CliCommand = {
  name: "connect",
  reader: "person",
  summary: "Connect an MCP client to the memory",
  shelf: "start",
  group: "Servers",
  example: "cairn connect\ncairn connect claude-code\ncairn connect codex --check",
  configure(command) {
    command
      .argument("[client]", "claude-code, codex, cursor …; without it: what is installed here")
      .option("--project", "write the project's config, shared by everyone who works on it")
      .option("--remove", "remove cairn from the client's config")
      .option("--dry-run", "show the changes without writing them")
      .option("--check", "start the server as the client does, and report the result")
      .option("--no-hooks", "add only the server, without session hooks")
      .option("-y, --yes", "write without asking")
      .addOption(
        new Option("--tools <set>", "core (default), or all tools").choices(["core", "all"]),
      )
      .addOption(new Option("--interface <variant>", "as for cairn mcp").choices(["a", "b"]));
  },
  async run(line, [name], options) {
    const { openConnections } = await import("../connect/open-connections.ts");
    const connections = openConnections(line, options);
    if (name === undefined) {
      requireNoClientFlags(options);
      const { listClients } = await import("../connect/list-clients.ts");
      return listClients(line, connections, options.json === true);
    }
    const connection = connections.of(name);
    if (options.check === true) {
      const { checkClient } = await import("../connect/check-client.ts");
      return checkClient(line, { connections, connection, asJson: options.json === true });
    }
    const { changeClient } = await import("../connect/change-client.ts");
    return changeClient(line, { connections, connection, options });
  },
};

function requireNoClientFlags(options: Readonly<Record<string, unknown>>): void {
  const flag = ["remove", "check", "dryRun", "yes", "project"].find(
    (name) => options[name] === true,
  );
  if (flag === undefined) return;
  const written = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw invalidInput(`--${written} needs a client; \`cairn connect\` lists them.`);
}
