import type { McpServerState, McpServerStatus } from "../ports/mcp-servers.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

const STATE_LABELS: Readonly<Record<McpServerState, string>> = {
  connecting: "… connecting",
  ready: "● ready",
  waiting: "○ disconnected, retrying",
  failed: "✗ failed",
  disabled: "- switched off",
  builtIn: "- not started: the memory is built in",
};

export const mcp: SlashCommand = {
  name: "mcp",
  argument: { name: "reconnect|login name" },
  summary: "Show, reconnect or log in to MCP servers",
  immediate: true,
  async run({ dialogue, mcpServers, openPage, signal }, args) {
    const [verb = "", name = "", ...rest] = args.split(/\s+/);
    if ((verb === "reconnect" || verb === "login") && name !== "" && rest.length === 0) {
      if (verb === "reconnect") await mcpServers.reconnect(name);
      else {
        const show = (url: string) => {
          openPage?.(url);
          dialogue.info(`Log in to ${name} in your browser: ${url}`);
        };
        await mcpServers.logIn(name, show, signal);
      }
      const status = mcpServers.list().find((server) => server.name === name);
      if (status?.state === "ready") dialogue.success(describeServer(status));
      else dialogue.error(status === undefined ? `${name} is gone.` : describeServer(status));
      return;
    }
    if (args !== "") {
      dialogue.error(
        "/mcp lists the servers; /mcp reconnect <name> reconnects one, /mcp login <name> logs in to it.",
      );
      return;
    }
    const servers = mcpServers.list();
    if (servers.length === 0) {
      dialogue.info(
        'There are no MCP servers. "mcpServers" in ~/.config/cairn/config.json or .cairn/config.json ' +
          "names them, and so does .mcp.json once the project is trusted.",
      );
      return;
    }
    dialogue.print(servers.map(describe).join("\n"));
  },
};

function describe(server: McpServerStatus): string {
  const { where, origin, isConfined } = server;
  const confined = isConfined ? ", in the sandbox" : "";
  const parts = [
    describeServer(server),
    `    ${where} (${origin}${confined})`,
    formatNames("tools", server.tools),
    formatNames("prompts", server.prompts),
    formatNames("resources", server.resources),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function describeServer({ name, state, problem }: McpServerStatus): string {
  return `${name}: ${STATE_LABELS[state]}${problem === undefined ? "" : ` (${problem})`}`;
}

const MAX_NAMED = 12;

function formatNames(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return `    ${what}: ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}
