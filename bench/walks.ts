/**
 * Counts the functions and files of `src` that one recall, one remember, one prompt hook and one
 * agent message run beyond those of `cairn --version`: `npx tsx bench/walks.ts`. Uses V8 coverage
 * of the sources.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { packageRoot } from "../src/shared/package.ts";
import { startScriptedModel } from "../src/testing/index.ts";

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** The module itself, and what the compiler adds to each module and class to preserve names. */
const IGNORED = ["", "__name", "<static_initializer>"];
const root = packageRoot();
const sources = pathToFileURL(join(root, "src")).href;
const folder = mkdtempSync(join(tmpdir(), "cairn-walks-"));
const model = await startScriptedModel();
model.respond(() => ({ text: "Done." }));
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  CAIRN_DATA_DIR: join(folder, "data"),
  CAIRN_DAEMON: "off",
  CAIRN_PROVIDER: "openai-compatible",
  CAIRN_BASE_URL: model.baseUrl,
  CAIRN_MODEL: "scripted",
  CAIRN_API_KEY: "none",
};

/** Returns the functions that the command runs, by file and offset. */
async function listCoveredFunctions(
  args: readonly string[],
  input = "",
): Promise<ReadonlySet<string>> {
  const coverage = mkdtempSync(join(folder, "coverage-"));
  const main = join(root, "src/cli/main.ts");
  // Asynchronous, since this process serves the model. Rejects if the command fails.
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", main, ...args], {
    cwd: root,
    env: { ...environment, NODE_V8_COVERAGE: coverage },
  });
  run.child.stdin?.end(input);
  await run;
  const scripts = readdirSync(coverage).flatMap(
    (file): readonly ScriptCoverage[] =>
      JSON.parse(readFileSync(join(coverage, file), "utf8")).result,
  );
  return new Set(
    scripts
      .filter(({ url }) => url.startsWith(sources))
      .flatMap(({ url, functions }) =>
        functions
          .filter(
            ({ functionName, ranges }) =>
              !IGNORED.includes(functionName) && (ranges[0]?.count ?? 0) > 0,
          )
          .map(({ ranges }) => `${url}#${ranges[0]?.startOffset}`),
      ),
  );
}

try {
  const base = await listCoveredFunctions(["--version"]);
  const hook = JSON.stringify({ session_id: "s", cwd: root, prompt: "When do we deploy?" });
  const walks: readonly (readonly [name: string, args: readonly string[], input?: string])[] = [
    ["remember", ["remember", "We deploy on Tuesdays", "-t", "decision"]],
    ["recall", ["recall", "When do we deploy?"]],
    ["prompt hook", ["hook", "claude-code", "prompt"], hook],
    ["message to the agent", ["-p", "Say done."]],
  ];
  for (const [name, args, input] of walks) {
    const functions = [...(await listCoveredFunctions(args, input))].filter(
      (one) => !base.has(one),
    );
    const files = new Set(functions.map((one) => one.split("#")[0]));
    process.stdout.write(
      `${name.padEnd(24)} ${functions.length} functions in ${files.size} files\n`,
    );
  }
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
