import type { UiServer } from "../../ui-server/index.ts";
import type { CliCommand } from "../cli-command.ts";

export const uiServer: CliCommand = {
  name: "ui-server",
  summary: "Serve the agent to a user interface over WebSocket",
  group: "Servers",
  example: "cairn ui-server --ui-port 7434",
  configure(command) {
    command
      .option("--ui-host <address>", "address to listen on (default: 127.0.0.1)")
      .option("--ui-port <port>", "port to listen on, 0 for any free one (default: 7434)")
      .option("--token <token>", "what every client has to bring (better: CAIRN_TOKEN)")
      .option("--allow-host <name>", "a further Host header to answer; repeatable", collect)
      .option(
        "--allow-origin <origin>",
        "a web origin whose pages may connect; repeatable",
        collect,
      )
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent");
  },
  async run(line, _args, options) {
    const [{ createApp }, { createThreadHost }, { installSignalHandlers }, { startUiServer }] =
      await Promise.all([
        import("../../app/index.ts"),
        import("../../agent/index.ts"),
        import("../../http/index.ts"),
        import("../../ui-server/index.ts"),
      ]);
    const { env, cwd, logger, furtherOperations } = line;
    const { json: _json, ...flags } = options;
    const app = createApp({
      flags,
      env,
      cwd,
      logger,
      furtherOperations,
      vectorsInBackground: true,
    });
    const { settings, dataDir, paths } = app.config;
    const closing: (() => Promise<void>)[] = [() => app.close()];
    const closeParts = async () => {
      for (const close of closing.reverse()) await close();
    };
    let server: UiServer | undefined;
    try {
      const host = await createThreadHost({
        projectRoot: paths.projectRoot,
        userConfigDir: paths.userConfigDir,
        dataDir,
        settings,
        llm: settings,
        memory: settings.memory === "off" ? undefined : app.store.open(),
        surface: "server",
        environment: env,
        logger,
      });
      closing.push(() => host.close());
      // Before the ready line: whoever waits for it may send a signal at once.
      installSignalHandlers({
        logger,
        onStop: () => (server === undefined ? closeParts() : server.close(closeParts)),
      });
      server = await startUiServer({ host, settings, logger });
    } catch (error) {
      await closeParts();
      throw error;
    }
    // The signal handlers end the process.
    return new Promise<never>(() => undefined);
  },
};

function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
