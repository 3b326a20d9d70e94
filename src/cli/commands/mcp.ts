import { Option } from "commander";
import type { McpInterface, McpToolSet } from "../../server/mcp/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { appOptions } from "../command-line.ts";
import { version } from "../version.ts";

export const mcp: CliCommand = {
  name: "mcp",
  reader: "model",
  summary: "Serve the memory to an MCP client over standard input and output",
  group: "Servers",
  shelf: "servers",
  example: "cairn mcp\ncairn mcp --db shop --tools core",
  configure(command) {
    command
      .addOption(
        new Option("--interface <variant>", "a: labels and events; b: topics")
          .choices(["a", "b"])
          .default("a"),
      )
      .addOption(
        new Option("--tools <set>", "all, or core: write, recall, events, conflicts, undo")
          .choices(["all", "core"])
          .default("all"),
      )
      .option("--structured", "also return structured content, with output schemas");
  },
  async run(line, _args, { interface: variant, tools, structured, ...flags }) {
    const { serveMcp } = await import("../../app/index.ts");
    await serveMcp({
      ...appOptions(line, flags),
      interface: variant as McpInterface,
      tools: tools as McpToolSet,
      structured: structured === true,
      version: version(),
      stdin: line.stdin,
      stdout: line.stdout as NodeJS.WriteStream,
    });
    return undefined;
  },
};
