import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import type { AgentSettings } from "../settings.ts";

export interface ChecksWish {
  readonly project: string;
  /** Of the command line: they take the place of what is found. */
  readonly given: readonly string[];
  /** Above the first task of the file. */
  readonly ofFile: readonly string[];
  readonly settings: Pick<AgentSettings, "hooks" | "unattended">;
  /** The person trusts what the project says. */
  readonly isTrusted: boolean;
}

/** npm writes this into a new package. */
const NO_TEST = /no test specified/;

/**
 * What must succeed before a task counts as done: what is given, else what the file says, else the
 * settings, else the tests that a trusted project names.
 */
export function findChecks({
  project,
  given,
  ofFile,
  settings,
  isTrusted,
}: ChecksWish): readonly string[] {
  const ways = [given, ofFile, settings.unattended.checks, stepsOf(settings)];
  const found = ways.find((checks) => checks.length > 0);
  if (found !== undefined) return found;
  return isTrusted ? testsOf(project) : [];
}

function stepsOf({ hooks }: ChecksWish["settings"]): readonly string[] {
  return hooks.taskDone.flatMap(({ steps }) =>
    steps.map((step) =>
      "shell" in step ? step.shell : [step.command, ...step.args].map(quoted).join(" "),
    ),
  );
}

function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function testsOf(project: string): readonly string[] {
  const script = testScript(join(project, "package.json"));
  if (script !== undefined && !NO_TEST.test(script)) return ["npm test"];
  if (existsSync(join(project, "Cargo.toml"))) return ["cargo test"];
  if (existsSync(join(project, "go.mod"))) return ["go test ./..."];
  return [];
}

function testScript(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const description: unknown = JSON.parse(readFileSync(file, "utf8"));
    const scripts = isPlainObject(description) ? description.scripts : undefined;
    const test = isPlainObject(scripts) ? scripts.test : undefined;
    return typeof test === "string" && test.trim() !== "" ? test : undefined;
  } catch {
    // A package.json that is none names no tests.
    return undefined;
  }
}
