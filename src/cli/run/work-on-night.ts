import { existsSync, readFileSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { NightOptions, NightPlace, NightState, TaskFile } from "../../agent/index.ts";
import type { Unattended } from "../../app/index.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { appOptions } from "../open-app.ts";
import { projectRootOf } from "../project-root.ts";
import { askOnTerminal } from "./ask-on-terminal.ts";
import { listOf, nightFlags } from "./night-flags.ts";
import { writeReport } from "./write-report.ts";

type Options = Readonly<Record<string, unknown>>;

/**
 * Starts a run of the tasks in a file, or resumes one that has not ended, and writes the report.
 */
export async function workOnNight(
  here: CommandLine,
  file: string | undefined,
  options: Options,
): Promise<number> {
  const line = { ...here, cwd: projectRootOf(here.cwd, here.env) };
  const [{ openUnattended }, agent] = await Promise.all([
    import("../../app/index.ts"),
    import("../../agent/index.ts"),
  ]);
  line.hideEnvironment?.(agent.secretNames(line.env));
  const allowed = options.allowedTools;
  const unattended = await openUnattended({
    ...appOptions(line, nightFlags(options)),
    ...(typeof allowed === "string" && { allowedTools: allowed }),
  });
  try {
    const { dataDir, paths } = unattended.config;
    const project = paths.projectRoot;
    const tell = teller(line, options);
    const ports = {
      ...{ openHost: unattended.openHost, notify: unattended.notify, tell },
      asker: askOnTerminal(line),
      signal: line.signal,
    };
    const old = placeToResume(agent, { dataDir, project, file, cwd: here.cwd }, options);
    const limits = agent.limitsOfSettings(unattended.config.settings);
    let state: NightState;
    if (old !== undefined) {
      state = await agent.resumeNight({ dataDir, place: old, limits }, ports);
    } else {
      const { tasks, night } = await newNight({ unattended, options, file, cwd: here.cwd, limits });
      tell(`${tasks.tasks.length} tasks, at most ${limits.hours} h; ${checksLine(night, tasks)}`);
      const memorySeq = await unattended.memorySeq();
      state = await agent.beginNight(
        { dataDir, options: night, tasks: tasks.tasks, memorySeq },
        ports,
      );
    }
    return await endOf(line, { unattended, state, options });
  } finally {
    await unattended.close();
  }
}

async function endOf(
  line: CommandLine,
  { unattended, state, options }: { unattended: Unattended; state: NightState; options: Options },
): Promise<number> {
  const report = await unattended.report(state);
  const path = await writeReport(unattended.config, report, line, options);
  if (state.ended === undefined) {
    line.stderr.write("cairn: stopped; `cairn run --resume` goes on\n");
    return EXIT.failed;
  }
  const { done, not_done: notDone } = report;
  const problem = await unattended.notify({
    kind: "ended",
    title: `cairn: ${done.length} of ${done.length + notDone.length} tasks done`,
    text: report.ended_by === "" ? path : `${report.ended_by}\n${path}`,
    project: report.project,
    run: report.run,
  });
  if (problem !== undefined) line.stderr.write(`cairn: ${problem}\n`);
  return notDone.length === 0 ? 0 : EXIT.failed;
}

function teller(line: CommandLine, { json }: Options): (text: string) => void {
  return (text) => {
    const at = new Date().toISOString();
    if (json === true) line.stderr.write(`${JSON.stringify({ at, text })}\n`);
    else line.stderr.write(`${at.slice(11, 19)} ${text}\n`);
  };
}

interface Wanted {
  readonly dataDir: string;
  readonly project: string;
  readonly file: string | undefined;
  readonly cwd: string;
}

type Agent = typeof import("../../agent/index.ts");

/** A run that has not ended is resumed, unless another one is named. */
function placeToResume(
  { findNight, unfinishedNight, readNight }: Agent,
  { dataDir, project, file, cwd }: Wanted,
  { resume, new: isNew }: Options,
): NightPlace | undefined {
  if (resume !== undefined) {
    if (file !== undefined)
      throw invalidInput("run: --resume goes on with the tasks of before: name no file.");
    if (typeof resume === "string") return findNight(dataDir, project, resume);
    return unfinishedNight(dataDir, project) ?? findNight(dataDir, project);
  }
  const unfinished = isNew === true ? undefined : unfinishedNight(dataDir, project);
  if (unfinished === undefined) {
    if (file === undefined) {
      throw invalidInput("run: name the file that holds the tasks: cairn run tasks.md");
    }
    return undefined;
  }
  const before = readNight(unfinished).options.file;
  if (file === undefined || (before !== undefined && resolve(cwd, file) === before))
    return unfinished;
  throw invalidInput(
    `run: the run ${unfinished.id} of ${before ?? "the tasks of the project"} has no end yet. --resume goes on with it, --new begins this one beside it.`,
  );
}

interface Beginning {
  readonly unattended: Unattended;
  readonly options: Options;
  readonly file: string | undefined;
  readonly cwd: string;
  readonly limits: NightOptions["limits"];
}

async function newNight({ unattended, options, file = "", cwd, limits }: Beginning) {
  const { findChecks, parseTaskFile } = await import("../../agent/index.ts");
  const { settings, paths, trust } = unattended.config;
  const path = resolve(cwd, file);
  if (!existsSync(path)) throw notFound(`run: there is no file ${path}.`);
  const tasks = parseTaskFile(readFileSync(path, "utf8"));
  const isTrusted = trust === "trusted";
  const given = listOf(options, "check");
  const project = paths.projectRoot;
  const checks = findChecks({ project, given, ofFile: tasks.checks, settings, isTrusted });
  const inPlace = options.inPlace === true;
  const isOwn = isTrusted || !isWithin(realpathSync(path), realpathSync(project));
  const { atOnce, questions, land, checkTimeoutMs } = settings.unattended;
  const night: NightOptions = {
    project,
    file: path,
    ...{ inPlace, land, questions, limits, checkTimeoutMs },
    atOnce: inPlace ? 1 : atOnce,
    checks: [...checks],
    trustedChecks: isOwn ? "all" : checks.filter((check) => !tasks.checks.includes(check)),
  };
  return { tasks, night };
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..");
}

function checksLine({ checks }: NightOptions, { tasks }: TaskFile): string {
  const own = tasks.filter((task) => task.checks.length > 0).length;
  if (checks.length === 0 && own === 0) return "nothing checks them: --check names a command";
  const ofAll = checks.length === 0 ? "" : `each is checked by ${checks.join(", ")}`;
  return [ofAll, own === 0 ? "" : `${own} by checks of their own`]
    .filter((part) => part !== "")
    .join("; ");
}
