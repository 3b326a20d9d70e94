import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesOfCopy, discardCopy, makeCopy } from "../src/agent/index.ts";
import { systemClock } from "../src/shared/clock.ts";

/**
 * `npx tsx bench/copies.ts [files …]`: what a copy of a project in git costs to make, to compare and to
 * throw away, beside `git worktree add` of the same, one after the other, three times each: processor
 * seconds, of git and other programs too, the least of the three, and by how much a copy costs more. Linux.
 * Default: 20,000 files of 2 kB.
 */
const sizes = process.argv.slice(2).map(Number);
const ROUNDS = 3;
/** What Linux counts in. */
const TICKS_A_SECOND = 100;

/** Processor seconds of this process and of those that it waited for. */
function spent(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // User and system time, then the same of children.
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_A_SECOND;
}

async function costOf(work: () => unknown): Promise<number> {
  const before = spent();
  await work();
  return spent() - before;
}

async function measure(files: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "cairn-bench-copies-"));
  const project = join(root, "project");
  try {
    for (let number = 0; number < files; number += 1) {
      const folder = join(project, `d${number % 200}`);
      if (number < 200) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `f${number}.ts`), `// ${number}\n${"x = 1;\n".repeat(290)}`);
    }
    const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Begin");
    const costs = { worktree: [], make: [], compare: [], discard: [] } as Record<string, number[]>;
    for (let round = 0; round < ROUNDS; round += 1) {
      const tree = join(root, `tree${round}`);
      costs.worktree?.push(await costOf(() => git("worktree", "add", "-q", "--detach", tree)));
      rmSync(tree, { recursive: true });
      git("worktree", "prune");
      const wish = { project, dataDir: join(root, "data"), name: "bench", clock: systemClock };
      const made: { copy?: Awaited<ReturnType<typeof makeCopy>> } = {};
      const make = async () => {
        made.copy = await makeCopy(wish);
      };
      costs.make?.push(await costOf(make));
      const { copy } = made;
      if (copy === undefined) throw new Error("There is no copy.");
      writeFileSync(join(copy.tree, "d0", "f0.ts"), "changed\n");
      costs.compare?.push(await costOf(() => changesOfCopy(copy)));
      costs.discard?.push(await costOf(() => discardCopy(copy)));
    }
    const least = Object.entries(costs).map(([name, all]) => [name, Math.min(...all)] as const);
    const { worktree = 1, make = 0 } = Object.fromEntries(least);
    const shown = least.map(([name, cost]) => [name, cost.toFixed(2)]);
    const ratio = (make / worktree).toFixed(2);
    process.stdout.write(`${JSON.stringify({ files, ...Object.fromEntries(shown), ratio })}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

for (const files of sizes.length > 0 ? sizes : [20_000]) await measure(files);
