import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The result of one command of the path. */
export interface Step {
  readonly command: string;
  readonly seconds: number;
  readonly stdout: string;
}

/** The question shares no word with the answer, so only semantic search finds it. */
export const QUESTION = "what about fractions of a penny on bills?";
export const ANSWER = "Round once, at the end, half to even.";
/** Unreachable registry: simulates a missing network. */
const UNREACHABLE_REGISTRY = "http://127.0.0.1:9";
const SESSION = resolve(import.meta.dirname, "../../examples/a-decision/monday.jsonl");

/**
 * Runs the steps of a user with one file and no network, in an empty folder and a new home:
 * install, connect Claude Code, import its sessions, learn from them, and recall. Throws if a step
 * fails.
 */
export async function walkNewcomerPath(root: string, file: string): Promise<readonly Step[]> {
  const [home, project] = [join(root, "home"), join(root, "invoices")];
  mkdirSync(join(home, ".claude"), { recursive: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  writeSession(home, project);
  const env = {
    PATH: [join(project, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(
      delimiter,
    ),
    HOME: home,
    CAIRN_DAEMON: "off",
    npm_config_cache: join(home, ".npm"),
    npm_config_registry: UNREACHABLE_REGISTRY,
  };
  const commands = [
    ["npm", "install", "--offline", "--no-audit", "--no-fund", file],
    ["cairn", "connect", "claude-code", "--yes"],
    ["cairn", "import", "--from", "claude-code"],
    ["cairn", "learn"],
    ["cairn", "recall", QUESTION],
    ["cairn", "recall", "why do we round once, at the end?"],
  ];
  const steps: Step[] = [];
  for (const [program = "", ...args] of commands) {
    const begun = performance.now();
    const { stdout } = await run(program, args, { cwd: project, env });
    const seconds = (performance.now() - begun) / 1000;
    steps.push({ command: [program, ...args].join(" "), seconds, stdout });
  }
  return steps;
}

/** Writes a session transcript where Claude Code stores those of a project. */
export function writeSession(home: string, project: string): void {
  const folder = join(home, ".claude/projects", project.replaceAll(/[^\w]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const lines = readFileSync(SESSION, "utf8").trim().split("\n");
  const here = lines.map((line) => JSON.stringify({ cwd: project, ...JSON.parse(line) }));
  writeFileSync(join(folder, "monday.jsonl"), `${here.join("\n")}\n`);
}
