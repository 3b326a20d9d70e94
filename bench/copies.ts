import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesOfCopy, discardCopy, makeCopy } from "../src/agent/index.ts";
import { systemClock } from "../src/kernel/clock.ts";

/**
 * `npx tsx bench/copies.ts [files …]`: what a copy of a project in git costs to make, to compare and to
 * throw away, beside `git clone` of the same; seconds. Default: 1,000 and 20,000 files of 2 kB.
 */
const sizes = process.argv.slice(2).map(Number);
const seconds = async (work: () => unknown) => {
  const start = performance.now();
  await work();
  return ((performance.now() - start) / 1_000).toFixed(2);
};

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
    const wish = { project, dataDir: join(root, "data"), name: "bench", clock: systemClock };
    const clone = await seconds(() => git("clone", "-q", project, join(root, "clone")));
    let copy: Awaited<ReturnType<typeof makeCopy>> | undefined;
    const make = await seconds(async () => {
      copy = await makeCopy(wish);
    });
    if (copy === undefined) throw new Error("There is no copy.");
    const made = copy;
    writeFileSync(join(made.tree, "d0", "f0.ts"), "changed\n");
    const compare = await seconds(() => changesOfCopy(made));
    const discard = await seconds(() => discardCopy(made));
    process.stdout.write(
      `${JSON.stringify({ files, clone, make, compare, discard, ratio: (Number(make) / Number(clone)).toFixed(1) })}\n`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

for (const files of sizes.length > 0 ? sizes : [1_000, 20_000]) await measure(files);
