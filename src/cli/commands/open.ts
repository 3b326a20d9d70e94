import { invalidInput } from "../../shared/errors.ts";
import { DEFAULT_PORT } from "../../shared/package.ts";
import type { CliCommand } from "../cli-command.ts";

export const open: CliCommand = {
  name: "open",
  reader: "model",
  summary: "Open an item on the page",
  group: "Inspection",
  example: "cairn open ep:3\ncairn open tool:redis\ncairn open conflict:1 --print",
  configure(command) {
    command
      .argument("<id>", "an episode, fact, concept, entity, conflict or change")
      .option("--port <port>", `port of the server (default: ${DEFAULT_PORT})`)
      .option("--print", "only print the address, open no browser");
  },
  async run(line, [id = ""], options) {
    if (id.trim() === "") throw invalidInput("id: name what to open, for example ep:3");
    const { showPage } = await import("../page/show-page.ts");
    return showPage(line, options, { path: pathOf(id.trim()) });
  },
};

/** Where the page shows it. A bare number is an episode, as everywhere. */
function pathOf(id: string): string {
  const named = /^\d+$/.test(id) ? `ep:${id}` : id;
  const encoded = encodeURIComponent(named);
  if (named.startsWith("conflict:")) return `inbox?conflict=${encoded}`;
  if (named.startsWith("change:")) return `feed?change=${encoded}`;
  return `item/${encoded}`;
}
