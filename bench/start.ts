/**
 * Time of a complete process, as the shell measures it, relative to `node -e 0` in the same run:
 * the built command with an embedded memory, with and without the daemon. Run `npm run build`
 * first.
 *
 *   npx tsx bench/start.ts [--episodes 1000] [--vectors model|hash] [--rounds 15] [--busy 4]
 *     [--only prompt,recall] [--ways auto]
 *
 * `--only` runs only the processes whose names contain one of these words. `CAIRN_BENCH_KEEP`
 * names a folder that stores the filled memory for the next run.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/shared/package.ts";
import { fillForStart } from "./support/fill-start.ts";
import { printTable } from "./support/print-table.ts";

const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "100" },
    rounds: { type: "string", default: "15" },
    busy: { type: "string", default: "0" },
    vectors: { type: "string", default: "model" },
    only: { type: "string", default: "" },
    ways: { type: "string", default: "off,auto" },
  },
});
const EPISODES = Number(values.episodes);
const ROUNDS = Number(values.rounds);
/**
 * Indexes in `/proc/self/stat`, counted from the state field: CPU time of children that have
 * ended.
 */
const CHILDREN_TICKS = [13, 14];
const TICK_MS = 10;

const command = join(packageRoot(), "bin", "cairn.js");
if (!existsSync(join(packageRoot(), "dist", "client.cjs")))
  throw new Error("Run `npm run build` first.");
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const transcript = join(folder, "transcript.jsonl");
const env = {
  ...process.env,
  HOME: folder,
  CAIRN_DATA_DIR: join(folder, "data"),
  CAIRN_DB: "bench",
};
/**
 * Input of a client's hook. Each call is a new session, since a hook shows an episode only once
 * per session.
 */
const hookInput = () =>
  JSON.stringify({
    session_id: String(performance.now()),
    prompt: "Which build is green again?",
    transcript_path: transcript,
  });

const hook = (event: string, most: number) => ({
  name: `cairn hook … ${event}`,
  args: [command, "hook", "claude-code", event],
  most,
});
const BARE = "node -e 0";
const ALL_CASES = [
  { name: BARE, args: ["-e", "0"], most: undefined },
  { name: "cairn --version", args: [command, "--version"], most: undefined },
  { name: "cairn --help", args: [command, "--help"], most: undefined },
  { name: "cairn remember", args: [command, "remember", "The build is green again"], most: 3 },
  { name: "cairn recall", args: [command, "recall", "which build is green?"], most: 3 },
  { name: "completion", args: [command, "__complete", "cairn show ep:"], most: 2 },
  hook("session-start", 3),
  hook("prompt", 3),
  hook("stop", 2.5),
];
const WANTED = values.only.split(",");
const CASES = ALL_CASES.filter(
  ({ name }) => name === BARE || WANTED.some((word) => name.includes(word)),
);
type Way = "off" | "auto";
const WAYS = (["off", "auto"] as const).filter((way) => values.ways.includes(way));

interface Measured {
  readonly ms: number;
  readonly processor: number;
  readonly answered: boolean;
}

const burning: ChildProcess[] = [];
try {
  await populate();
  for (let n = 0; n < Number(values.busy); n += 1) {
    burning.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  }
  const measured = new Map<string, Measured[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, args } of CASES) {
      for (const way of WAYS) {
        // A remembered episode is embedded in the background: this recall waits for that.
        if (name === "cairn recall") run([command, "recall", "green"], way);
        const one = run(args, way, args.includes("hook") ? hookInput() : "");
        const key = `${name} ${way}`;
        measured.set(key, [...(measured.get(key) ?? []), one]);
      }
    }
  }
  printResults(measured);
  process.stdout.write(run([command, "daemon"], "auto").printed);
} finally {
  for (const child of burning) child.kill("SIGKILL");
  if (existsSync(env.CAIRN_DATA_DIR)) run([command, "daemon", "stop"], "auto");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function populate(): Promise<void> {
  writeFileSync(
    transcript,
    `${JSON.stringify({ type: "user", message: { role: "user", content: "We decided to keep the build green." } })}\n`,
  );
  mkdirSync(env.CAIRN_DATA_DIR);
  await fillOnce(join(env.CAIRN_DATA_DIR, "bench.db"));
  // Starts the daemon, which answers prompts.
  run([command, "remember", "The build is green again"], "auto");
  const until = Date.now() + 60_000;
  while (!run([command, "daemon"], "auto").printed.startsWith("Process")) {
    if (Date.now() > until) throw new Error("The daemon did not start.");
  }
  run([command, "recall", "build"], "auto");
}

async function fillOnce(path: string): Promise<void> {
  const vectors = values.vectors === "hash" ? "hash" : "model";
  const { CAIRN_BENCH_KEEP: keep } = process.env;
  const kept = keep && join(keep, `start-${EPISODES}-${vectors}.db`);
  if (kept && existsSync(kept)) return copyFileSync(kept, path);
  await fillForStart(path, EPISODES, vectors);
  if (kept) copyFileSync(path, kept);
}

/** Throws if the process fails. */
function run(
  args: readonly string[],
  way: Way,
  input = "",
): Measured & { readonly printed: string } {
  const ticks = readChildrenTicks();
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...env, CAIRN_DAEMON: way },
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  const ms = performance.now() - start;
  const processor = (readChildrenTicks() - ticks) * TICK_MS;
  return { ms, processor, answered: stdout !== "", printed: stdout };
}

function readChildrenTicks(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return CHILDREN_TICKS.reduce((sum, index) => sum + Number(fields[index]), 0);
}

function printResults(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const bare = getQuantile(
    WAYS.flatMap((way) => measured.get(`${BARE} ${way}`) ?? []),
    0.5,
  );
  const rows = CASES.flatMap(({ name, most }) =>
    WAYS.filter((way) => way === "auto" || name !== BARE).map((way) => {
      const runs = measured.get(`${name} ${way}`) ?? [];
      const p50 = getQuantile(runs, 0.5);
      const processor = runs.reduce((sum, one) => sum + one.processor, 0) / runs.length;
      return [
        name,
        way === "auto" ? "with" : "without",
        p50.toFixed(0),
        getQuantile(runs, 0.95).toFixed(0),
        processor.toFixed(0),
        `${runs.filter(({ answered }) => answered).length}/${runs.length}`,
        (p50 / bare).toFixed(2),
        most === undefined || way === "off" ? "" : `<= ${most}`,
      ];
    }),
  );
  printTable(
    [
      "process",
      "the one that stays",
      "p50 ms",
      "p95 ms",
      "processor ms",
      "answered",
      "ratio",
      "aim",
    ],
    rows,
  );
}

function getQuantile(runs: readonly Measured[] = [], share: number): number {
  const sorted = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
