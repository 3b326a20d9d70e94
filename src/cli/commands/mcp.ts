import { Option } from "commander";
import type { McpInterface, McpToolSet } from "../../mcp/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { version } from "../version.ts";

export const mcp: CliCommand = {
  name: "mcp",
  summary: "Serve the memory to an MCP client over standard input and output",
  group: "Servers",
  example: "cairn mcp\ncairn mcp --db shop --tools core",
  configure(command) {
    command
      .addOption(
        new Option("--interface <variant>", "a: labels and events; b: topics")
          .choices(["a", "b"])
          .default("a"),
      )
      .addOption(
        new Option("--tools <set>", "all, or core: remember, recall, apply, snapshot, events")
          .choices(["all", "core"])
          .default("all"),
      );
  },
  async run(line, _args, options) {
    const [
      { createApp },
      { installSignalHandlers },
      { randomIds },
      { createMcpServer, serveStdio },
    ] = await Promise.all([
      import("../../app/index.ts"),
      import("../../http/index.ts"),
      import("../../kernel/ids.ts"),
      import("../../mcp/index.ts"),
    ]);
    const { env, cwd, logger, furtherOperations } = line;
    const app = createApp({
      flags: { db: options.db, dataDir: options.dataDir },
      env,
      cwd,
      logger,
      furtherOperations,
      vectorsInBackground: true,
    });
    const stopping = new AbortController();
    try {
      const server = createMcpServer({
        store: app.store,
        db: undefined,
        interface: options.interface as McpInterface,
        tools: options.tools as McpToolSet,
        session: app.config.settings.session ?? randomIds.next("mcp-"),
        version: version(),
        logger,
      });
      const served = serveStdio(server, {
        stdin: line.stdin,
        stdout: line.stdout as NodeJS.WriteStream,
        logger,
        messageBytes: app.config.settings.limits.bodyBytes,
        signal: stopping.signal,
      });
      const uninstall = installSignalHandlers({
        logger,
        async onStop() {
          stopping.abort();
          await served;
          await app.close();
        },
      });
      await served;
      uninstall();
    } finally {
      await app.close();
    }
    return undefined;
  },
};
