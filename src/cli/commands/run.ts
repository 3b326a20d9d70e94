import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { RunLimits, RunPaths, RunState } from "../../agent/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { showControl } from "../../shared/text.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { appOptions, projectLocation } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { findProjectRoot } from "../project-root.ts";

type Options = Readonly<Record<string, unknown>>;
type RunAgent = typeof import("../../agent/index.ts");

export const run: CliCommand = {
  name: "run",
  reader: "model",
  summary: "Work through a task list unattended, in a git worktree",
  group: "Agent",
  example:
    'cairn run tasks.md --check "npm test" --hours 8 --max-cost 20\ncairn run --resume\ncairn run status\ncairn run report',
  interruptible: true,
  configure(command) {
    command
      .argument("[tasks]", "a Markdown checklist; or status, report")
      .argument("[run]", "status, report: the run")
      .option("--resume [run]", "continue the latest run, or this one")
      .option("--new", "start a run even if another has not ended")
      .option(
        "--check <command>",
        "command that must succeed to complete a task; repeatable",
        collectValue,
      )
      .option("--hours <n>", "time limit")
      .option("--max-cost <dollars>", "cost limit")
      .option("--max-tokens <n>", "token limit")
      .option("--allowed-tools <list>", 'run without asking: "edit, shell(npm test *)"')
      .option("--provider <name>", "provider of the model")
      .option("--model <name>", "model of the agent")
      .option("--effort <level>", "thinking effort: off, low, medium or high")
      .option("--permission <mode>", "what runs without asking: ask, edits or auto");
  },
  async run(line, [first, id], options) {
    if (first === "status") return showStatus(line, id, options);
    if (first === "report") return showReport(line, id, options);
    if (id !== undefined) throw invalidInput("run: use cairn run tasks.md");
    return runTasks(line, first, options);
  },
};

async function runTasks(
  here: CommandLine,
  file: string | undefined,
  options: Options,
): Promise<number> {
  const line = { ...here, cwd: findProjectRoot(here.cwd, here.env) };
  const [{ openAgentHosts }, agent] = await Promise.all([
    import("../../app/index.ts"),
    import("../../agent/index.ts"),
  ]);
  line.hideEnvironment?.(agent.secretNames(line.env));
  const { allowedTools } = options;
  const hosts = openAgentHosts({
    ...appOptions(line, collectFlags(options)),
    ...(typeof allowedTools === "string" && { allowedTools }),
  });
  try {
    const { dataDir, paths, settings, trust } = hosts.config;
    const project = paths.projectRoot;
    const writeError = (text: string) => line.stderr.write(`${showControl(text)}\n`);
    const ports = {
      dataDir,
      clock: systemClock,
      openHost: hosts.openHost,
      report: writeError,
      signal: line.signal,
    };
    const { checks: _checks, ...limits } = settings.run;
    const unfinished = runToResume(agent, { dataDir, project }, { file, cwd: here.cwd, options });
    let state: RunState;
    if (unfinished !== undefined) {
      const isLimited = ["hours", "maxCost", "maxTokens"].some(
        (name) => options[name] !== undefined,
      );
      state = await agent.resumeRun(unfinished, isLimited ? limits : undefined, ports);
    } else {
      const path = resolve(here.cwd, file ?? "");
      const parsed = agent.parseTaskFile(readTasks(path));
      const values = Array.isArray(options.check) ? options.check.map(String) : [];
      const ofFile = [...parsed.checks, ...parsed.tasks.flatMap(({ checks }) => checks)];
      if (ofFile.length > 0 && trust !== "trusted" && trust !== "none" && isWithin(path, project)) {
        throw invalidInput(
          `run: ${path} contains \`check:\` commands and the project is not trusted. Run \`cairn trust\`, or remove them and use --check.`,
        );
      }
      const checks =
        [values, parsed.checks, settings.run.checks].find((list) => list.length > 0) ?? [];
      writeError(`${parsed.tasks.length} tasks, at most ${limits.hours} h`);
      state = await agent.startRun(
        {
          project,
          file: path,
          tasks: parsed.tasks,
          checks,
          limits: limits as RunLimits,
        },
        ports,
      );
    }
    const runPaths = agent.findRun(dataDir, project, state.start?.run);
    await writeReport(line, agent, { dataDir, runPaths: runPaths }, options);
    const isDone = [...state.tasks.values()].every((task) => task.status === "done");
    return isDone ? 0 : EXIT.failed;
  } finally {
    await hosts.close();
  }
}

function readTasks(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw notFound(`run: ${path} cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}

function runToResume(
  { findRun, listRuns, readRun }: RunAgent,
  { dataDir, project }: { readonly dataDir: string; readonly project: string },
  {
    file,
    cwd,
    options,
  }: { readonly file: string | undefined; readonly cwd: string; readonly options: Options },
): RunPaths | undefined {
  const unfinished = () =>
    listRuns(dataDir, project)
      .filter((location) => readRun(location).ended === undefined)
      .at(-1);
  if (options.resume !== undefined) {
    if (file !== undefined)
      throw invalidInput("run: --resume continues the tasks of the run. Omit the file.");
    if (typeof options.resume === "string") return findRun(dataDir, project, options.resume);
    return unfinished() ?? findRun(dataDir, project);
  }
  const open = options.new === true ? undefined : unfinished();
  if (open === undefined) {
    if (file === undefined) throw invalidInput("run: name the task file: cairn run tasks.md");
    return undefined;
  }
  if (file === undefined || readRun(open).start.file === resolve(cwd, file)) return open;
  throw invalidInput(
    `run: the run ${open.id} has not ended. Continue it with --resume, or start this one with --new.`,
  );
}

async function showStatus(
  line: CommandLine,
  id: string | undefined,
  options: Options,
): Promise<undefined> {
  const { findRun, readRun, runningProcess } = await import("../../agent/index.ts");
  const { dataDir, project } = await projectLocation(line, options);
  const location = findRun(dataDir, project, id);
  const state = readRun(location);
  const worker = runningProcess(location);
  const tasks = state.start.tasks.map((task) => {
    const { status: now = "pending", entry } = state.tasks.get(task.id) ?? {};
    return {
      id: task.id,
      name: task.name,
      status: now,
      reason: entry?.reason ?? "",
      requests: state.requestsOf(task.id),
    };
  });
  if (options.json === true) {
    const endFields = { ended_at: state.ended?.at ?? null, ended_by: state.ended?.reason ?? "" };
    line.stdout.write(
      `${JSON.stringify({ run: location.id, process: worker ?? null, ...endFields, tasks })}\n`,
    );
    return undefined;
  }
  const runState =
    worker !== undefined
      ? `running in process ${worker}`
      : state.ended === undefined
        ? "stopped; `cairn run --resume` continues"
        : `ended ${state.ended.reason}`.trim();
  const lines = [
    `${location.id}: ${runState}`,
    ...tasks.map(
      (task) =>
        `${task.status.padEnd(8)} ${task.id} ${task.name}${task.reason === "" ? "" : ` (${task.reason})`}`,
    ),
  ];
  for (const one of lines) line.stdout.write(`${showControl(one)}\n`);
  return undefined;
}

async function showReport(
  line: CommandLine,
  id: string | undefined,
  options: Options,
): Promise<undefined> {
  const agent = await import("../../agent/index.ts");
  const { dataDir, project } = await projectLocation(line, options);
  await writeReport(
    line,
    agent,
    { dataDir, runPaths: agent.findRun(dataDir, project, id) },
    options,
  );
  return undefined;
}

async function writeReport(
  line: CommandLine,
  {
    auditFile,
    findWorktree,
    listWorktrees,
    readAudit,
    readRun,
    formatReport: reportAsMarkdown,
    createReport: getReport,
  }: RunAgent,
  { dataDir, runPaths }: { readonly dataDir: string; readonly runPaths: RunPaths },
  { json }: Options,
): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const state = readRun(runPaths);
  const { project } = state.start;
  const name = `run-${runPaths.id}`;
  const isThere = listWorktrees(dataDir, project).some((one) => one.name === name);
  const log = isThere
    ? await readAudit(auditFile(dataDir, findWorktree(dataDir, project, name).tree))
    : undefined;
  const report = getReport(state, log?.entries ?? []);
  const text = reportAsMarkdown(report);
  await writeFileAtomic(`${runPaths.report}.md`, text, { mode: 0o600 });
  await writeFileAtomic(`${runPaths.report}.json`, `${JSON.stringify(report)}\n`, { mode: 0o600 });
  line.stdout.write(json === true ? `${JSON.stringify(report)}\n` : text);
}

function collectFlags(options: Options): Record<string, unknown> {
  const { db, dataDir, database, provider, model, effort, permission: permissionMode } = options;
  const { hours: runHours, maxCost: runMaxCost, maxTokens: runMaxTokens } = options;
  const flags = { db, dataDir, database, provider, model, effort, permissionMode };
  return { ...flags, runHours, runMaxCost, runMaxTokens };
}

function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(realpathSync(folder), realpathSync(path));
  return relativePath !== "" && !relativePath.startsWith("..");
}

function collectValue(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
