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
      .option(
        "--token <token>",
        "what every client has to bring (better: CAIRN_TOKEN); auto: a random one",
      )
      .option("--allow-host <name>", "a further Host header to answer; repeatable", collect)
      .option("--tls-cert <file>", "certificate (PEM), with --tls-key: it speaks https")
      .option("--tls-key <file>", "its private key (PEM)")
      .option("--read-only", "refuse everything that would change memory")
      .option("--log-format <format>", "text for people, json for programs (default: text)")
      .option("--log-requests", "tell of each request on stderr")
      .option("--postgres-pool-size <count>", "connections to PostgreSQL at most (default: 10)")
      .option("--postgres-connect-timeout-ms <ms>", "wait for one of them (default: 10000)")
      .option("--postgres-statement-timeout-ms <ms>", "longest statement (default: 60000)")
      .option(
        "--postgres-idle-transaction-timeout-ms <ms>",
        "longest silence within a write (default: 30000)",
      )
      .option("--no-ui", "show no page under /ui/")
      .option("--allow-origin <origin>", "a web origin whose pages may call; repeatable", collect);
  },
  async run(line, _args, options) {
    const { serveMemory } = await import("../../app/index.ts");
    // The parser sets `ui` even if the user gave no flag; a setting may turn the page off.
    const { ui, ...others } = options;
    const given = ui === false ? { ...others, ui } : others;
    return serveMemory({ ...appOptions(line, given), version: version() });
  },
};

function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
