import { DEFAULT_PORT } from "../../shared/package.ts";
import type { CliCommand } from "../cli-command.ts";

export const ui: CliCommand = {
  name: "ui",
  reader: "model",
  summary: "Open the web page with the memory and the agent",
  group: "Servers",
  shelf: "servers",
  example: "cairn ui\ncairn ui ep:3\ncairn ui --db shop\ncairn ui --print\ncairn ui --no-agent",
  configure(command) {
    command
      .argument("[id]", "open at an episode, fact, concept, entity, conflict or change")
      .option("--port <port>", `port of the server (default: ${DEFAULT_PORT})`)
      .option("--print", "print the URL without opening a browser")
      .option("--no-agent", "serve only the memory");
  },
  async run(line, [id], options) {
    const { showPage } = await import("../page/show-page.ts");
    const { agent, ...others } = options;
    const path = id === undefined ? {} : { path: formatPath(id.trim()) };
    return showPage(line, others, { ...path, withAgent: agent !== false });
  },
};

/** Page path of an item; a bare number is an episode. */
function formatPath(id: string): string {
  const named = /^\d+$/.test(id) ? `ep:${id}` : id;
  const encoded = encodeURIComponent(named);
  if (named.startsWith("conflict:")) return `inbox?conflict=${encoded}`;
  if (named.startsWith("change:")) return `feed?change=${encoded}`;
  return `item/${encoded}`;
}
