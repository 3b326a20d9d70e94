import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProjectCheckpoints } from "../../src/agent/checkpoints/project-checkpoints.ts";
import { ThreadCheckpoints } from "../../src/agent/checkpoints/thread-checkpoints.ts";
import { printTable } from "../support/print-table.ts";

/**
 * `npx tsx bench/agent/measure-undo.ts` measures checkpoints of the work tree and the undo of
 * turns.
 */
const FOLDERS = 400;
const FILES = 50;
const CHANGED = 1_000;
const ROUNDS = 5;

const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-bench-")));
const root = join(folder, "project");
const getPath = (index: number) => join(root, `d${index % FOLDERS}`, `f${index}.ts`);
const taken = new Map<string, { readonly wall: number; readonly cpu: number }[]>();
try {
  await writeProject();
  const project = new ProjectCheckpoints({ root, dataDir: join(folder, "data") });
  const checkpoints = new ThreadCheckpoints({
    memory: undefined,
    project,
    threadId: "t",
    now: () => new Date().toISOString(),
    conversation: () => ({ messages: [], replace: () => {}, append: () => {} }),
    hasBackground: () => false,
    isConfined: async () => true,
  });
  await measure("first look at 20 000 files, copied", 1, () => project.look());
  await measure("a later look, nothing changed", 9, () => project.look());
  await measure("a turn with a command: both looks", 9, async () => {
    const { watch, end } = checkpoints.begin("quiet", undefined);
    await watch.willRunCommand();
    await end();
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const { watch, end } = checkpoints.begin("busy", undefined);
    await watch.willRunCommand();
    for (let index = 0; index < CHANGED; index += 1) {
      await writeFile(getPath(index), `new ${index} of ${round}`);
    }
    await take("end of a turn that touched 1 000 files", end);
    await take("undo of it", () => checkpoints.undo());
    if ((await readFile(getPath(7), "utf8")).startsWith("new"))
      throw new Error("undo did not restore the file");
    await take("redo of it", () => checkpoints.redo());
    await checkpoints.undo();
  }
  await project.close();
  const later = new ProjectCheckpoints({ root, dataDir: join(folder, "data") });
  await take("first look of the next start", () => later.look());
  await later.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
printTable(
  ["operation", "samples", "median ms", "CPU ms"],
  [...taken].map(([what, samples]) => [
    what,
    String(samples.length),
    median(samples.map(({ wall }) => wall)),
    median(samples.map(({ cpu }) => cpu)),
  ]),
);

async function writeProject(): Promise<void> {
  for (let index = 0; index < FOLDERS; index += 1) {
    await mkdir(join(root, `d${index}`), { recursive: true });
  }
  for (let index = 0; index < FOLDERS * FILES; index += 1) {
    await writeFile(getPath(index), `${index}\n${"export const line = 1;\n".repeat(100)}`);
  }
}

async function measure(what: string, times: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) await take(what, work);
}

async function take(what: string, work: () => Promise<unknown>): Promise<void> {
  const [before, cpuBefore] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  const sample = { wall: performance.now() - before, cpu: (user + system) / 1_000 };
  taken.set(what, [...(taken.get(what) ?? []), sample]);
}

function median(values: readonly number[]): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(0);
}
