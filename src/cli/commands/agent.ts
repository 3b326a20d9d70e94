import { homedir } from "node:os";
import { relative, sep } from "node:path";
import type { LlmSettings, Worktree } from "../../agent/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Connect, OutputFormat, TerminalOptions } from "../../terminal/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions, hasScreenReader, projectLocation } from "../command-line.ts";
import { findProjectRoot } from "../project-root.ts";
import { requestTrust } from "../request-trust.ts";

const OUTPUT_FORMATS: readonly OutputFormat[] = ["text", "json", "stream-json"];

export const agent: CliCommand = {
  name: "agent",
  reader: "model",
  summary: "Start the agent; the default without a command",
  group: "Agent",
  example:
    'cairn\ncairn "why does the build fail?"\ngit diff | cairn -p "look for faults"\ncairn -p "fix the test" --output-format json --allowed-tools "edit, shell(npm test *)"',
  configure(command) {
    command
      .argument("[prompt...]", "run this prompt once and exit; piped input is appended")
      .option("-p, --print", "run this prompt once, print the answer and exit")
      .option("--output-format <form>", "output of a one-off run: text, json or stream-json")
      .option("--allowed-tools <list>", 'run without asking: "edit, shell(npm test *)"')
      .option("--worktree [name]", "work in a git worktree; `cairn worktree merge` merges it")
      .option("--resume [id]", "resume this session, or choose one")
      .option("--continue", "resume the latest session")
      .option("--screen-reader", "plain output for screen readers")
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent")
      .option("--effort <level>", "thinking effort: off, low, medium or high")
      .option("--max-cost <dollars>", "stop the run at this cost in US dollars")
      .option("--permission <mode>", "what runs without asking: plan, ask, edits or auto");
  },
  async run(here, words, options) {
    const root = findProjectRoot(here.cwd, here.env);
    const line = { ...here, cwd: root };
    const startedIn = relative(root, here.cwd).split(sep).join("/");
    const worktree = await openWorktree(line, options);
    const isOneShot = isSinglePrompt(words, options) || line.stdout.isTTY !== true;
    if (!isOneShot) await requestTrust(line);
    const { runTerminal } = await import("../../terminal/index.ts");
    return runTerminal(await terminalOptions({ line, startedIn, worktree }, words, options));
  },
};

function isSinglePrompt(
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): boolean {
  const { json, print, outputFormat } = options;
  return words.length > 0 || json === true || print === true || outputFormat !== undefined;
}

function parseOutputFormat({
  json,
  outputFormat,
}: Readonly<Record<string, unknown>>): OutputFormat {
  if (outputFormat === undefined) return json === true ? "stream-json" : "text";
  const known = OUTPUT_FORMATS.find((format) => format === outputFormat);
  if (known !== undefined) return known;
  throw invalidInput(
    `--output-format: "${String(outputFormat)}" is not one of ${OUTPUT_FORMATS.join(", ")}.`,
  );
}

interface AgentStart {
  readonly line: CommandLine;
  readonly startedIn: string;
  readonly worktree: Worktree | undefined;
}

async function terminalOptions(
  { line, startedIn, worktree }: AgentStart,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<TerminalOptions> {
  const { env, cwd } = line;
  const {
    db,
    dataDir,
    database,
    provider,
    model,
    effort,
    maxCost,
    permission: permissionMode,
  } = options;
  const flags = { db, dataDir, database, provider, model, effort, maxCost, permissionMode };
  const resume = readResume(options);
  return {
    // The terminal needs raw mode and size, which only real TTY streams have.
    stdin: line.stdin as NodeJS.ReadStream,
    stdout: line.stdout as NodeJS.WriteStream,
    stderr: line.stderr as NodeJS.WriteStream,
    screenReader: await hasScreenReader(line, options.screenReader === true),
    noColor: env.NO_COLOR !== undefined && env.NO_COLOR !== "",
    isDumb: env.TERM === "dumb" || (env.CI !== undefined && env.CI !== "" && env.CI !== "false"),
    ...detectColors(env),
    saveTheme: async (theme) => {
      const { saveUserSettings } = await import("../../config/index.ts");
      return saveUserSettings({ env, cwd }, { theme });
    },
    environment: env,
    projectRoot: worktree?.tree ?? cwd,
    cwdLabel: formatLocation(cwd, env, worktree),
    dataDir: async () => {
      const { loadConfig } = await import("../../config/index.ts");
      return loadConfig({ flags, env, cwd, reader: line.reader }).dataDir;
    },
    connect: createConnect({ line, startedIn, worktree }, flags, parseAllowedTools(options)),
    setup: async (session) => {
      const [{ createSetup }, { saveUserSettings }] = await Promise.all([
        import("../../terminal/index.ts"),
        import("../../config/index.ts"),
      ]);
      const { listModels, SERVICES } = await import("../../agent/index.ts");
      await createSetup({
        environment: env,
        services: SERVICES,
        listModels: (choice) =>
          listModels(
            { ...choice, provider: choice.provider as LlmSettings["provider"] },
            AbortSignal.timeout(10_000),
          ),
        save: (changes) => saveUserSettings({ env, cwd }, changes),
      })(session);
    },
    ...(words.length !== 0 && { prompt: words.join(" ") }),
    outputFormat: parseOutputFormat(options),
    ...(isSinglePrompt(words, options) && { once: true }),
    ...(resume !== undefined && { resume }),
  };
}

/** Some terminals set `COLORFGBG` to `text;background`; 7 and 15 are white. */
function detectColors({
  COLORFGBG,
  COLORTERM,
  TERM = "",
}: CommandLine["env"]): Pick<TerminalOptions, "background" | "hasManyColors"> {
  if (COLORTERM === undefined && !/256color|kitty|ghostty/.test(TERM)) return {};
  const background = COLORFGBG?.split(";").at(-1);
  if (background === undefined) return { hasManyColors: true };
  return { hasManyColors: true, background: /^(?:7|15)$/.test(background) ? "light" : "dark" };
}

function parseAllowedTools({
  allowedTools,
}: Readonly<Record<string, unknown>>): string | undefined {
  return typeof allowedTools === "string" ? allowedTools : undefined;
}

function readResume(options: Readonly<Record<string, unknown>>): TerminalOptions["resume"] {
  if (options.continue === true && options.resume !== undefined) {
    throw invalidInput("--continue and --resume cannot be combined. Use one of them.");
  }
  if (options.continue === true) return { kind: "latest" };
  if (typeof options.resume === "string") return { kind: "thread", threadId: options.resume };
  return options.resume === true ? { kind: "pick" } : undefined;
}

function createConnect(
  { line, startedIn, worktree }: AgentStart,
  flags: Readonly<Record<string, unknown>>,
  allowedTools: string | undefined,
): Connect {
  return async ({ onNotice, isUnattended = false }) => {
    const [{ openAgent }, { hasKey, offeredCommands, secretNames }] = await Promise.all([
      import("../../app/index.ts"),
      import("../../agent/index.ts"),
    ]);
    line.hideEnvironment?.(secretNames(line.env));
    const agent = await openAgent({
      ...appOptions(line, flags),
      logger: noticeLogger(onNotice),
      surface: "terminal",
      isUnattended,
      ...(worktree !== undefined && { worktree }),
      ...(startedIn !== "" && { startedIn }),
      openPage: await createPageOpener(line),
      ...(allowedTools !== undefined && { allowedTools }),
    });
    const { settings, paths } = agent.config;
    return {
      host: agent.host,
      memory: agent.memory,
      theme: settings.theme,
      commands: await offeredCommands({
        ...paths,
        trustsCommands: agent.config.trust === "trusted" && paths.configRoot === paths.projectRoot,
      }),
      hasModel: hasKey(settings),
      close: () => agent.close(),
    };
  };
}

/** The URL is also printed, so a failing browser needs no error. */
async function createPageOpener({ env }: CommandLine): Promise<(url: string) => void> {
  const { openBrowser } = await import("../page/open-browser.ts");
  // On Windows a shell would interpret the URL.
  if (process.platform === "win32") return () => undefined;
  return (url) => void openBrowser(url, { env });
}

/** Passes on warnings only, since errors are already events. */
function noticeLogger(onNotice: (message: string) => void): Logger {
  return { info: onNotice, warn: onNotice, error: () => undefined };
}

function formatLocation(
  cwd: string,
  { HOME }: CommandLine["env"],
  worktree: Worktree | undefined,
): string {
  const path = shortPath(cwd, HOME || homedir());
  return worktree === undefined ? path : `${path} (worktree "${worktree.name}")`;
}

function shortPath(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

async function openWorktree(
  line: CommandLine,
  options: Readonly<Record<string, unknown>>,
): Promise<Worktree | undefined> {
  const { worktree: requested } = options;
  if (requested === undefined || requested === false) return undefined;
  if (typeof requested === "string" && /\s/.test(requested)) {
    throw invalidInput(
      `--worktree: "${requested}" is not a name. Write the name before the prompt: --worktree try "…"`,
    );
  }
  const [{ createWorktree, listWorktrees }, { systemClock }] = await Promise.all([
    import("../../agent/index.ts"),
    import("../../shared/clock.ts"),
  ]);
  const { dataDir, project } = await projectLocation(line, options);
  const existing = new Map(listWorktrees(dataDir, project).map((one) => [one.name, one]));
  let number = 1;
  while (existing.has(`work-${number}`)) number += 1;
  const name = typeof requested === "string" ? requested : `work-${number}`;
  const known = existing.get(name);
  if (known !== undefined) return known;
  const created = await createWorktree({ dataDir, project, name, clock: systemClock });
  line.stderr.write(
    `cairn: created the worktree "${name}" on branch cairn/${name}; \`cairn worktree merge ${name}\` merges it\n`,
  );
  return created;
}
