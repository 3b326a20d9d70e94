/**
 * Time of a whole process, from the shell's point of view, against `node -e 0` in the same run: the
 * built command with a small memory that has its vectors. Run `npm run build` first.
 *
 *   npx tsx bench/start.ts
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/package-root.ts";
import { printTable } from "./support/print-table.ts";

const ROUNDS = 15;
const EPISODES = 100;

const command = join(packageRoot(), "bin", "cairn.js");
if (!existsSync(join(packageRoot(), "dist", "main.js")))
  throw new Error("Run `npm run build` first.");
/** What a client tells its hooks; a session of its own each time, or it would have been told already. */
const hookInput = () =>
  JSON.stringify({ session_id: String(performance.now()), prompt: "Which build is green again?" });
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const env = { ...process.env, CAIRN_DATA_DIR: folder, CAIRN_DB: "bench" };

const CASES = [
  { name: "node -e 0", args: ["-e", "0"], most: undefined },
  { name: "cairn --help", args: [command, "--help"], most: 2.5 },
  { name: "cairn remember", args: [command, "remember", "The build is green again"], most: 4 },
  { name: "cairn recall", args: [command, "recall", "which build is green?"], most: 8 },
  ...["session-start", "prompt"].map((event) => ({
    name: `cairn hook … ${event}`,
    args: [command, "hook", "claude-code", event],
    most: 3.5,
  })),
];

try {
  populate();
  const times = new Map(CASES.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, args } of CASES) {
      // A remembered episode waits for its vector: this recall is that of a memory at rest.
      if (name === "cairn recall") run([command, "recall", "green"]);
      times.get(name)?.push(run(args, args.includes("hook") ? hookInput() : ""));
    }
  }
  const bare = median(times.get("node -e 0") ?? []);
  printTable(
    ["process", "median ms", "ratio", "bound"],
    CASES.map(({ name, most }) => {
      const time = median(times.get(name) ?? []);
      return [
        name,
        time.toFixed(0),
        (time / bare).toFixed(2),
        most === undefined ? "" : `<= ${most}`,
      ];
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function populate(): void {
  const ops = Array.from(
    { length: EPISODES },
    (_, n) => `remember session=s${n} "Note ${n} about the build"`,
  );
  run([command, "apply"], ops.join("\n"));
  run([command, "recall", "build"]);
}

/** Milliseconds until the process has ended; throws when it failed. */
function run(args: readonly string[], input = ""): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
