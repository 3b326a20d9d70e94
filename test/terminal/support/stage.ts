import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { DatabaseFolder } from "../../../src/database/index.ts";
import {
  createOperations,
  isDatabaseName,
  type MemoryEngine,
  MemoryStore,
} from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { Terminal, type TerminalOptions } from "./terminal.ts";

/** `cwd` may differ from the project, e.g. for a workspace copy. */
type TerminalKind = Pick<TerminalOptions, "background" | "columns" | "rows"> &
  Partial<Pick<TerminalOptions, "cwd">>;

export interface Stage {
  readonly script: string;
  readonly model: ScriptedModel;
  readonly project: string;
  readonly dataDir: string;
  /** Starts the program in a pseudo-terminal; `given` is passed to the entry script. */
  start(input?: object, kind?: TerminalKind): Terminal;
  env(args?: object): Record<string, string>;
  withMemory(work: (memory: MemoryEngine) => Promise<void>): Promise<void>;
}

export function setUpStage(): Stage {
  const open: Terminal[] = [];
  let script = "";
  let model: ScriptedModel;
  let project = "";
  let dataDir = "";
  beforeAll(async () => {
    script = await bundleEntry("test/terminal/support/terminal-entry.ts");
  }, 180_000);
  beforeEach(async () => {
    model = await startScriptedModel();
    project = mkdtempSync(join(tmpdir(), "cairn-project-"));
    dataDir = mkdtempSync(join(tmpdir(), "cairn-data-"));
  });
  afterEach(async () => {
    for (const terminal of open.splice(0)) terminal.kill();
    await model.close();
  });
  const env = (input: object = {}) => ({
    CAIRN_TEST: JSON.stringify({ dataDir, baseUrl: model.baseUrl, ...input }),
  });
  return {
    get script() {
      return script;
    },
    get model() {
      return model;
    },
    get project() {
      return project;
    },
    get dataDir() {
      return dataDir;
    },
    env,
    start: (input = {}, kind = {}) => {
      const terminal = new Terminal({ script, cwd: project, env: env(input), ...kind });
      open.push(terminal);
      return terminal;
    },
    withMemory: async (work) => {
      const store = new MemoryStore({
        backend: new DatabaseFolder(dataDir, isDatabaseName),
        defaultDatabase: "default",
        operations: createOperations(),
        embedder: undefined,
        episodeTypes: [],
        logger: silentLogger,
      });
      await work(store.open());
      await store.close();
    },
  };
}
