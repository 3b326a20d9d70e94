import type { CliCommand } from "../cli-command.ts";

export const ui: CliCommand = {
  name: "ui",
  reader: "model",
  summary: "Open the page on which memory is seen, corrected and taken back",
  group: "Servers",
  shelf: "servers",
  example: "cairn ui\ncairn ui --db shop\ncairn ui --print",
  configure(command) {
    command
      .option("--port <port>", "port of the server (default: 7433)")
      .option("--print", "only print the address, open no browser");
  },
  async run(line, _args, options) {
    const { showPage } = await import("../page/show-page.ts");
    return showPage(line, options, "");
  },
};
