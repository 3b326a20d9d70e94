/**
 * Measures whether the memory that an agent receives with a bug report contains the decision that
 * the fix depends on.
 *
 *   npx tsx bench/sessions.ts sde-dev.json [--arm conversation|amended|history] [--at prompt,file,calls] [--written]
 *
 * The file contains tasks and conversations of `vectorize-io/sde-bench` (MIT) and is not included
 * here. The built program (`npm run build`) is used as clients use it: hooks import sessions,
 * `cairn import --from git` imports histories, and the measured text is the hook's output for the
 * report. With `--at file` it is the output when the agent opens the file that the fix touches,
 * without a report. The data have no file contents: the file is empty, or, with `--written`,
 * defines the functions that reports about it name. `--at calls` measures how often the hook adds
 * text to ordinary calls.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { packageRoot } from "../src/shared/package.ts";
import { type FillTarget, fillByHistory, fillByHooks, writeModules } from "./sessions/fill.ts";
import { MIN_RULE_COVERAGE, measure } from "./sessions/measure.ts";
import { ORDINARY_CALLS } from "./sessions/ordinary-calls.ts";
import { readBench, type Task, VARIANTS } from "./sessions/tasks.ts";

const { values, positionals } = parseArgs({
  options: {
    arm: { type: "string", default: "conversation" },
    at: { type: "string", default: "prompt" },
    written: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [file] = positionals;
const arm = Object.keys(VARIANTS).find((name) => name === values.arm) as
  | keyof typeof VARIANTS
  | undefined;
const MOMENTS = ["prompt", "file", "calls"] as const;
const moments = values.at.split(",");
if (file === undefined || arm === undefined || !moments.every((one) => isMoment(one))) {
  throw new Error(
    `usage: bench/sessions.ts sde-dev.json [--arm ${Object.keys(VARIANTS).join("|")}] [--at ${MOMENTS.join(",")}] [--written]`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "cairn-sessions-"));
const project = join(folder, "project");
for (const path of [project, join(folder, "home")]) mkdirSync(path, { recursive: true });
const location: FillTarget = {
  folder,
  project,
  cairn(args, input = "") {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(packageRoot(), "bin", "cairn.js"), ...args],
      {
        cwd: project,
        input,
        encoding: "utf8",
        env: {
          PATH: process.env.PATH,
          HOME: join(folder, "home"),
          CAIRN_DATA_DIR: join(folder, "data"),
          CAIRN_DB: "bench",
        },
      },
    );
    if (status !== 0) throw new Error(`cairn ${args.join(" ")}: ${stderr}`);
    return stdout;
  },
};

try {
  const bench = readBench(file, arm);
  if (arm === "history") fillByHistory(location, bench);
  else fillByHooks(location, bench);
  if (values.written) writeModules(project, bench.tasks);
  for (const at of MOMENTS.filter((moment) => moments.includes(moment))) {
    if (at === "calls") reportCalls();
    else reportTasks(bench.tasks, at);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function isMoment(name: string): boolean {
  return MOMENTS.some((moment) => moment === name);
}

/** Prints what a new session is shown for each task. */
function reportTasks(tasks: readonly Task[], at: "prompt" | "file"): void {
  const rows = tasks.map((task, number) => {
    const output = getShownText(task, { number, at });
    if (process.env.SHOW !== undefined) console.log(`${task.codebase}\n${output}`);
    return { ...measure(task, output), tokens: countTokens(output) };
  });
  for (const { task, coverage, tokens } of rows) {
    console.log(
      `${coverage >= MIN_RULE_COVERAGE ? "included" : "        "} ${coverage.toFixed(2)} ${String(tokens).padStart(4)} ${task}`,
    );
  }
  const count = rows.filter(({ coverage }) => coverage >= MIN_RULE_COVERAGE).length;
  const stale = rows.filter(({ isStale }) => isStale).length;
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0) / Math.max(1, rows.length);
  console.log(
    `${arm} at ${at}: included ${count} of ${rows.length}, stale ${stale}, ${Math.round(tokens)} tokens on average`,
  );
}

/**
 * Prints how often the hook adds text to calls that the memory knows nothing about, all in one
 * session.
 */
function reportCalls(): void {
  const spoken = ORDINARY_CALLS.filter((call) => {
    const input = { session_id: "calls", cwd: project, ...call };
    const printed = location.cairn(
      ["hook", "claude-code", "tool", "--patience", "5000"],
      JSON.stringify(input),
    );
    if (printed !== "") console.log(JSON.stringify(call.tool_input), printed.slice(0, 600));
    return printed !== "";
  });
  console.log(`hook output at ${spoken.length} of ${ORDINARY_CALLS.length} ordinary calls`);
}

function getShownText(
  { bug_report: prompt, module }: Task,
  { number, at }: { readonly number: number; readonly at: "prompt" | "file" },
): string {
  const session = `${at === "file" ? "2" : "1"}1111111-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const opened = { tool_name: "Read", tool_input: { file_path: join(project, module) } };
  const response = at === "file" ? opened : { prompt };
  const printed = location.cairn(
    ["hook", "claude-code", at === "file" ? "tool" : "prompt", "--patience", "5000"],
    JSON.stringify({ session_id: session, cwd: project, ...response }),
  );
  return printed === "" ? "" : JSON.parse(printed).hookSpecificOutput.additionalContext;
}
