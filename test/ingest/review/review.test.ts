import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeEach, describe, expect, it } from "vitest";
import { parseChangedFiles } from "../../../src/ingest/review/index.ts";
import {
  type CliFolders,
  type CliResult,
  createCliFolders,
  runInProcess,
} from "../../support/run-cli.ts";
import { SARIF } from "./sarif-2.1.0.schema.ts";

let folders: CliFolders;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folders.project, path)), { recursive: true });
  writeFileSync(join(folders.project, path), text);
}

function git(...args: readonly string[]): void {
  const named = ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args];
  execFileSync("git", named, { cwd: folders.project, stdio: "ignore" });
}

async function cairn(...args: readonly string[]): Promise<CliResult> {
  return runInProcess(folders, args);
}

async function remember(type: string, content: string, ...more: readonly string[]): Promise<void> {
  const result = await cairn("remember", content, "-t", type, ...more);
  expect(result).toMatchObject({ code: 0 });
}

describe("cairn review", () => {
  beforeEach(async () => {
    folders = createCliFolders();
    git("init", "--quiet", "--initial-branch=main");
    write("src/pay.ts", "export const pay = 1;\n");
    git("add", ".");
    git("commit", "--quiet", "--message=Pay");
    await remember("decision", "We decided: no endpoint without OpenAPI.");
    await remember("preference", "Never use moment, use date-fns instead.");
    await remember("decision", "Payments are made once.", "--entities", "file:src/pay.ts");
  });

  it("passes a change without findings", async () => {
    write("src/other.ts", "export const other = 2;\n");
    git("add", ".");
    expect(await cairn("review")).toMatchObject({
      code: 0,
      stdout: "1 changed file: no findings in memory.\n",
    });
  });

  it("reports a violated decision or preference at its line, and fails", async () => {
    write("src/pay.ts", "export const pay = 1;\n\nimport moment from 'moment';\n");
    const { code, stdout } = await cairn("review");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^src\/pay\.ts:3: warning: preference: “Never use moment, use date-fns instead\.” \(ep:2, \d{4}-/,
    );
    expect(stdout).toContain("src/pay.ts: note: decision: “Payments are made once.” (ep:3, ");
    expect(stdout).toContain("1 changed file: 1 warning, 1 note.");
    expect((await cairn("review", "--fail-on", "error")).code).toBe(0);
    expect((await cairn("review", "--fail-on", "note")).code).toBe(1);
  });

  it("reports a missing required counterpart", async () => {
    write("src/routes.ts", "export const createEndpoint = () => {};\n");
    git("add", ".");
    const { stdout } = await cairn("review", "--json");
    expect(JSON.parse(stdout).findings).toMatchObject([
      {
        rule: "missing-requirement",
        level: "warning",
        path: "src/routes.ts",
        line: 1,
        id: "ep:1",
      },
    ]);
    write("src/openapi.ts", "export const openApi = { paths: ['OpenAPI'] };\n");
    git("add", ".");
    expect(JSON.parse((await cairn("review", "--json")).stdout).findings).toEqual([]);
  });

  it("reports a repeated mistake as an error", async () => {
    const mistake = {
      how: "corrected",
      file: "src/pay.ts",
      wrote: ["total += price * 1.19;"],
      wanted: "use taxOf(price)",
    };
    await remember(
      "outcome",
      "The tax was written as a number.",
      ...[...["-l", "mistake=yes", "--metadata", JSON.stringify({ mistake })]],
    );
    write("src/pay.ts", "export const pay = 1;\n  total += price * 1.19;\n");
    const { code, stdout } = await cairn("review", "--fail-on", "error");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^src\/pay\.ts:2: error: mistake: “The tax was written as a number\.” Wanted: “use taxOf\(price\)”/,
    );
  });

  it("reviews a range of commits, and a diff on standard input", async () => {
    git("switch", "--quiet", "--create", "topic");
    write("src/pay.ts", "export const pay = moment();\n");
    git("commit", "--quiet", "--all", "--message=Use moment");
    expect((await cairn("review")).code).toBe(0);
    expect((await cairn("review", "main...HEAD")).stdout).toMatch(/^src\/pay\.ts:1: warning/);
    const diff = execFileSync("git", ["diff", "main"], { cwd: folders.project, encoding: "utf8" });
    const piped = await runInProcess(folders, ["review", "-"], { stdin: diff });
    expect(piped.stdout).toMatch(/^src\/pay\.ts:1: warning/);
  });

  it("exits with 2 for invalid arguments", async () => {
    for (const [args, said] of [
      [["no-such-commit"], 'git cannot show "no-such-commit"'],
      [["--format", "sarf"], 'Did you mean "sarif"'],
      [["--fail-on", "all"], "must be error, warning, note, never"],
    ] as const) {
      const { code, stderr } = await cairn("review", ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
    }
  });

  it("writes valid SARIF 2.1.0", async () => {
    write("src/a b.ts", "moment();\n");
    git("add", ".");
    const { stdout } = await cairn("review", "--format", "sarif");
    const sarif = JSON.parse(stdout);
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const holds = ajv.compile(SARIF);
    expect({ holds: holds(sarif), errors: holds.errors }).toEqual({ holds: true, errors: null });
    const [{ results, tool }] = sarif.runs;
    expect(results).toHaveLength(1);
    expect(tool.driver.rules[results[0].ruleIndex].id).toBe(results[0].ruleId);
    expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("src/a%20b.ts");
  });

  it("escapes line breaks in annotations", async () => {
    await remember("preference", "Never use lodash.\n::error::not ours");
    write("src/pay.ts", "export const pay = lodash;\n");
    const { stdout } = await cairn("review", "--format", "github");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^::warning file=src\/pay\.ts,line=1,title=cairn%3A contradicted-decision::preference: “Never use lodash\./,
    );
    for (const line of lines) expect(line).toMatch(/^::(?:warning|notice) file=/);
  });
});

it("parses a diff whose lines look like file headers", () => {
  const diff = [
    "diff --git a/a.sql b/a.sql",
    "--- a/a.sql",
    "+++ b/a.sql",
    "@@ -3,2 +3,3 @@",
    "--- gone",
    "+++ b/not-a-file",
    "+two",
    " kept",
    "\\ No newline at end of file",
    "diff --git a/old.ts b/old.ts",
    "--- a/old.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    "",
  ].join("\n");
  expect(parseChangedFiles(diff)).toEqual([
    {
      path: "a.sql",
      added: [
        { line: 3, text: "++ b/not-a-file" },
        { line: 4, text: "two" },
      ],
    },
  ]);
});
