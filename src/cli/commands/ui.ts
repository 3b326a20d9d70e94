import { invalidInput } from "../../shared/errors.ts";
import { DEFAULT_PORT } from "../../shared/package.ts";
import type { CliCommand } from "../cli-command.ts";

/** Every address of the machine. */
const EVERYWHERE = "0.0.0.0";

export const ui: CliCommand = {
  name: "ui",
  reader: "model",
  summary: "Open the page: the memory and, beside it, the agent of this project",
  group: "Servers",
  shelf: "servers",
  example:
    "cairn ui\ncairn ui ep:3\ncairn ui --db shop\ncairn ui --print\ncairn ui --pair --lan\ncairn ui --no-agent",
  configure(command) {
    command
      .argument("[id]", "open at an episode, fact, concept, entity, conflict or change")
      .option("--port <port>", `port of the server (default: ${DEFAULT_PORT})`)
      .option("--print", "only print the address, open no browser")
      .option("--pair", "show a code that pairs a phone: it answers what the agent asks")
      .option("--lan", "let paired phones in on every address of this machine")
      .option("--phone-host <address>", "let paired phones in on this address")
      .option("--phone-port <port>", "port for paired phones (default: 7435)")
      .option("--phone-url <url>", "the address of a proxy in front of that, as phones open it")
      .option("--tls-cert <file>", "certificate (PEM), with --tls-key: phones speak https")
      .option("--tls-key <file>", "its private key (PEM)")
      .option("--no-agent", "serve the memory alone");
  },
  async run(line, [id], options) {
    const { showPage } = await import("../page/show-page.ts");
    const { agent, pair, lan, ...others } = options;
    if (lan === true && others.phoneHost !== undefined) {
      throw invalidInput("--lan: means every address; leave it out beside --phone-host");
    }
    const withAgent = agent !== false;
    if (!withAgent && (pair === true || lan === true)) {
      throw invalidInput("--no-agent: a phone answers the agent, so there has to be one");
    }
    const given = lan === true ? { ...others, phoneHost: EVERYWHERE } : others;
    const path = id === undefined ? {} : { path: pathOf(id.trim()) };
    return showPage(line, given, { ...path, withAgent, pairs: pair === true });
  },
};

/** The part of the page's address for an item. A bare number is an episode, as everywhere. */
function pathOf(id: string): string {
  const named = /^\d+$/.test(id) ? `ep:${id}` : id;
  const encoded = encodeURIComponent(named);
  if (named.startsWith("conflict:")) return `inbox?conflict=${encoded}`;
  if (named.startsWith("change:")) return `feed?change=${encoded}`;
  return `item/${encoded}`;
}
