import { DEFAULT_PORT } from "../../shared/package.ts";
import type { CliCommand } from "../cli-command.ts";
import { appOptions } from "../command-line.ts";
import { version } from "../version.ts";

export const serve: CliCommand = {
  name: "serve",
  reader: "model",
  summary: "Serve the memory over REST and MCP",
  group: "Servers",
  shelf: "servers",
  example: "cairn serve\ncairn serve --port 0 --db shop --read-only",
  configure(command) {
    command
      .option("--host <address>", "address to listen on (default: 127.0.0.1)")
      .option("--port <port>", `port to listen on, 0 for any free one (default: ${DEFAULT_PORT})`)
      .option("--token <token>", "token required of clients (better: CAIRN_TOKEN); auto: random")
      .option("--allow-host <name>", "additional allowed Host header; repeatable", collectValue)
      .option("--tls-cert <file>", "certificate (PEM) for HTTPS, with --tls-key")
      .option("--tls-key <file>", "its private key (PEM)")
      .option("--read-only", "reject all writes")
      .option("--log-format <format>", "text for people, json for programs (default: text)")
      .option("--log-requests", "log each request to stderr")
      .option(
        "--postgres-pool-size <count>",
        "maximum number of PostgreSQL connections (default: 10)",
      )
      .option("--allow-origin <origin>", "allowed web origin; repeatable", collectValue);
  },
  async run(line, _args, options) {
    const { serveMemory } = await import("../../app/index.ts");
    return serveMemory({ ...appOptions(line, options), version: version() });
  },
};

function collectValue(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
