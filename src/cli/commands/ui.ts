import { DEFAULT_PORT } from "../../shared/package.ts";
import type { CliCommand } from "../cli-command.ts";

export const ui: CliCommand = {
  name: "ui",
  reader: "model",
  summary: "Open the page: the memory and, beside it, the agent of this project",
  group: "Servers",
  shelf: "servers",
  example: "cairn ui\ncairn ui --db shop\ncairn ui --print\ncairn ui --no-agent",
  configure(command) {
    command
      .option("--port <port>", `port of the server (default: ${DEFAULT_PORT})`)
      .option("--print", "only print the address, open no browser")
      .option("--no-agent", "serve the memory alone");
  },
  async run(line, _args, options) {
    const { showPage } = await import("../page/show-page.ts");
    const { agent, ...others } = options;
    return showPage(line, others, { withAgent: agent !== false });
  },
};
