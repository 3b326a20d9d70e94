/**
 * Time that a client waits for its hooks: complete processes of the built command relative to
 * `node -e 0` in the same run. The end-of-turn hook runs in sessions of 5, 500 and 5 000 turns,
 * all of which are already stored. Run `npm run build` first.
 *
 *   npx tsx bench/hooks.ts [--turns 5,500,5000] [--rounds 11]
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/shared/package.ts";
import { printTable } from "./support/print-table.ts";
import { createTranscriptTurn } from "./support/transcript-of-turns.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "5,500,5000" },
    rounds: { type: "string", default: "11" },
  },
});
const command = join(packageRoot(), "bin", "cairn.js");
if (!existsSync(join(packageRoot(), "dist", "main.js")))
  throw new Error("Run `npm run build` first.");
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const env = { ...process.env, HOME: folder, CAIRN_DATA_DIR: join(folder, "data") };

interface Row {
  readonly name: string;
  /** Runs the process to its end; returns milliseconds. */
  readonly run: () => number;
}

try {
  const rows: readonly Row[] = [
    { name: "node -e 0", run: () => measureProcess(["-e", "0"]) },
    ...values.turns.split(",").map((turns) => createEndOfTurnRow(Number(turns))),
  ];
  const times = new Map(rows.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const { name, run } of rows) times.get(name)?.push(run());
  }
  const bare = median(times.get("node -e 0") ?? []);
  printTable(
    ["process", "median ms", "ratio"],
    rows.map(({ name }) => {
      const time = median(times.get(name) ?? []);
      return [name, time.toFixed(0), (time / bare).toFixed(2)];
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** End-of-turn hook of a new session with this number of stored turns, in its own memory. */
function createEndOfTurnRow(turns: number): Row {
  const session = `session-of-${turns}`;
  const project = join(folder, session);
  mkdirSync(project);
  const path = join(project, "transcript.jsonl");
  let turn = 0;
  const say = () => {
    appendFileSync(path, createTranscriptTurn(session, turn, project));
    turn += 1;
  };
  while (turn < turns) say();
  const input = JSON.stringify({ session_id: session, cwd: project, transcript_path: path });
  const args = [command, "hook", "claude-code", "stop", "--db", session, "--debug"];
  measureProcess(args, input);
  return {
    name: `cairn hook … stop after ${turns} turns`,
    run() {
      say();
      return measureProcess(args, input);
    },
  };
}

/** Returns the wall-clock milliseconds of the process. Throws if it fails. */
function measureProcess(args: readonly string[], input = ""): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...{ env, input, encoding: "utf8" },
  });
  if (status !== 0 || /queued work/i.test(stderr)) {
    throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  }
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
