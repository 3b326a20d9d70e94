/**
 * Time of `cairn import --from git` on a long history, and of a second import without new commits:
 * the built command, without vectors, on a repository created by `git fast-import`. Run `npm run
 * build` first.
 *
 *   npx tsx bench/history-source.ts [--commits 50000]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/shared/package.ts";
import { printTable } from "./support/print-table.ts";

const { values } = parseArgs({ options: { commits: { type: "string", default: "50000" } } });
/** Preloaded into the measured process: prints its CPU seconds at exit. */
const CPU_REPORTER =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process._rawDebug('USED '+((user+system)/1e6).toFixed(1))})";
const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const project = join(folder, "project");
const data = join(folder, "data");
const env = { ...process.env, HOME: folder, CAIRN_DATA_DIR: data, CAIRN_DB: "bench" };

try {
  mkdirSync(project);
  run("git", ["init", "-q", "-b", "main"]);
  run("git", ["fast-import", "--quiet"], [...generateHistory(Number(values.commits))].join(""));
  const cairn = [join(packageRoot(), "bin", "cairn.js"), "import", "--from", "git"];
  const read = (name: string) => {
    const { ms, cpu } = run(process.execPath, ["--import", CPU_REPORTER, ...cairn]);
    return [name, (ms / 1000).toFixed(1), cpu, (measureSize(data) / 2 ** 20).toFixed(0)];
  };
  const rows = [read("first"), read("again")];
  run("git", [...IDENTITY, "commit", "-q", "--amend", "--allow-empty", "-m", "Say it otherwise"]);
  rows.push(read("after the newest commit was amended"));
  printTable(["import", "wall s", "CPU s", "MB"], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function* generateHistory(commits: number): Generator<string> {
  for (let commit = 1; commit <= commits; commit += 1) {
    const message = `Mend the ${commit % 97}th queue of worker ${commit}\n\nIts retries had passed the limit of ${commit % 31} attempts since the cache was parted; now they wait for the parser of part ${commit % 53}.\n`;
    const path = `src/part-${commit % 53}/file-${commit % 997}.ts`;
    const content = `// ${commit}\n`;
    yield `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_500_000_000 + commit * 600} +0000\n`;
    yield `data ${Buffer.byteLength(message)}\n${message}\n`;
    yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  }
}

/** Returns wall-clock milliseconds and CPU seconds of the process. Throws if it fails. */
function run(program: string, args: readonly string[], input = ""): { ms: number; cpu: string } {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, {
    ...{ cwd: project, env, input, encoding: "utf8", maxBuffer: 2 ** 28 },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
  const [, cpu = ""] = /USED ([\d.]+)/.exec(stderr) ?? [];
  return { ms: performance.now() - start, cpu };
}

function measureSize(path: string): number {
  return readdirSync(path)
    .map((name) => statSync(join(path, name)))
    .filter((stats) => stats.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}
