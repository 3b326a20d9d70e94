import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProjectCheckpoints } from "../../src/agent/checkpoints/project-checkpoints.ts";
import { ThreadCheckpoints } from "../../src/agent/checkpoints/thread-checkpoints.ts";
import { printTable } from "../support/print-table.ts";

/** `npx tsx bench/agent/measure-undo.ts`: copies of the work tree and taking turns back. */
const FOLDERS = 400;
const FILES = 50;
const CHANGED = 1_000;

const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-bench-")));
const root = join(folder, "project");
const pathOf = (index: number) => join(root, `d${index % FOLDERS}`, `f${index}.ts`);
const rows: string[][] = [];
try {
  await writeProject();
  const project = new ProjectCheckpoints({ root, dataDir: join(folder, "data") });
  const checkpoints = new ThreadCheckpoints({
    memory: undefined,
    project,
    threadId: "t",
    now: () => new Date().toISOString(),
    conversation: () => ({ messages: [], replace: () => {}, append: () => {} }),
  });
  await measure("first look at 20 000 files, copied", 1, () => project.look());
  await measure("a later look, nothing changed", 9, () => project.look());
  await measure("a turn with a command: both looks", 9, async () => {
    const { watch, end } = checkpoints.begin("quiet", undefined);
    await watch.willRunCommand();
    await end();
  });
  const { watch, end } = checkpoints.begin("busy", undefined);
  await watch.willRunCommand();
  for (let index = 0; index < CHANGED; index += 1) await writeFile(pathOf(index), `new ${index}`);
  await measure("end of a turn that touched 1 000 files", 1, end);
  await measure("undo of it", 1, () => checkpoints.undo());
  if ((await readFile(pathOf(7), "utf8")).startsWith("new")) throw new Error("nothing was undone");
  await measure("redo of it", 1, () => checkpoints.redo());
} finally {
  await rm(folder, { recursive: true, force: true });
}
printTable(["what", "median, ms"], rows);

async function writeProject(): Promise<void> {
  for (let index = 0; index < FOLDERS; index += 1) {
    await mkdir(join(root, `d${index}`), { recursive: true });
  }
  for (let index = 0; index < FOLDERS * FILES; index += 1) {
    await writeFile(pathOf(index), `${index}\n${"export const line = 1;\n".repeat(100)}`);
  }
}

async function measure(what: string, times: number, work: () => Promise<unknown>): Promise<void> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const before = performance.now();
    await work();
    taken.push(performance.now() - before);
  }
  taken.sort((a, b) => a - b);
  rows.push([what, (taken[Math.floor(times / 2)] ?? 0).toFixed(0)]);
}
