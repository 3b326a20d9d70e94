import { join } from "node:path";
import { createThreadHost, offeredCommands } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { DatabaseFolder } from "../../../src/database/index.ts";
import { llmSettings, SERVICES } from "../../../src/llm/index.ts";
import { createOperations, isDatabaseName, MemoryStore } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { runTerminal } from "../../../src/terminal/index.ts";
import { createSetup } from "../../../src/terminal/setup/set-up.ts";

const given = JSON.parse(process.env.CAIRN_TEST ?? "{}");
const dataDir = given.dataDir;
let baseUrl = given.baseUrl;
const { ollama, anthropic, openai, google } = SERVICES;
const offeredFirst = {
  ...{ ollama, anthropic, openai, google },
  "openai-compatible": SERVICES["openai-compatible"],
};

process.exitCode = await runTerminal({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  noColor: given.noColor === true,
  isDumb: process.env.TERM === "dumb",
  projectRoot: process.cwd(),
  cwdLabel: "~/project",
  dataDir: async () => dataDir,
  ...given.options,
  setup: createSetup({
    save: (changes) => {
      baseUrl = given.setupUrl;
      return `~/.config/cairn/config.json ${JSON.stringify(changes)}`;
    },
    services: offeredFirst,
    ollamaUrl: given.ollamaUrl,
  }),
  connect: async ({ isUnattended = false }) => {
    if (given.connectError !== undefined) throw new Error(given.connectError);
    const store = new MemoryStore({
      backend: new DatabaseFolder(dataDir, isDatabaseName),
      defaultDatabase: "default",
      operations: createOperations(),
      embedder: undefined,
      episodeTypes: [],
      logger: silentLogger,
    });
    const memory = store.open();
    const host = await createThreadHost({
      projectRoot: process.cwd(),
      isUnattended,
      dataDir,
      userConfigDir: join(dataDir, "config"),
      settings: agentSettings.parse({
        sandbox: false,
        permission: { mode: "auto" },
        ...given.settings,
      }),
      llm: llmSettings.parse({
        provider: "openai-compatible",
        model: "scripted",
        baseUrl: baseUrl ?? "http://127.0.0.1:9/v1",
        maxRetries: 0,
        ...given.llm,
      }),
      memory,
      surface: "terminal",
      environment: process.env,
    });
    return {
      host,
      memory,
      ...(given.theme !== undefined && { theme: given.theme }),
      commands: await offeredCommands({ projectRoot: process.cwd(), userConfigDir: dataDir }),
      hasModel: baseUrl !== undefined,
      close: async () => {
        await host.close();
        await store.close();
      },
    };
  },
});
