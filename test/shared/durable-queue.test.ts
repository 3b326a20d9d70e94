import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { DurableQueue, type QueuedJob } from "../../src/shared/durable-queue.ts";
import { temporaryFolder } from "../support/memory-server.ts";

const busy = new Error("busy");

function drain(queue: DurableQueue, work: (job: QueuedJob) => Promise<void> | void) {
  const failed: string[] = [];
  const done = queue.drain({
    perform: { note: async (job) => work(job) },
    waits: (error) => error === busy,
    onFailed: ({ id }) => failed.push(id),
  });
  return done.then((count) => ({ count, failed }));
}

it("runs jobs once and in order, and removes them", async () => {
  const queue = new DurableQueue(join(temporaryFolder(), "queue"));
  // More jobs than fit into a millisecond, so the timestamp alone does not order them.
  const texts = Array.from({ length: 40 }, (_, index) => `job ${index}`);
  for (const text of texts) queue.add("note", text);
  const seen: unknown[] = [];
  const note = ({ payload }: QueuedJob) => void seen.push(payload);
  expect(await drain(queue, note)).toEqual({ count: texts.length, failed: [] });
  expect(await drain(queue, note)).toEqual({ count: 0, failed: [] });
  expect(seen).toEqual(texts);
  expect(queue.length).toBe(0);
});

it("leaves postponed jobs, later ones, and unknown kinds", async () => {
  const queue = new DurableQueue(join(temporaryFolder(), "queue"));
  queue.add("other", 1);
  queue.add("note", 2);
  queue.add("note", 3);
  expect(await drain(queue, () => Promise.reject(busy))).toEqual({ count: 0, failed: [] });
  expect(queue.length).toBe(3);
  expect(await drain(queue, () => undefined)).toMatchObject({ count: 2 });
  expect(queue.length).toBe(1);
});

it("sets failed jobs aside, reports them, and continues", async () => {
  const folder = join(temporaryFolder(), "queue");
  const queue = new DurableQueue(folder);
  const bad = queue.add("note", "bad");
  queue.add("note", "good");
  const work = ({ payload }: QueuedJob) => {
    if (payload === "bad") throw new Error("no");
  };
  expect(await drain(queue, work)).toEqual({ count: 1, failed: [bad.id] });
  expect(readdirSync(folder)).toContain(`${bad.id}.failed`);
  expect(queue.length).toBe(0);
});

it("is drained by one process at a time", async () => {
  const folder = join(temporaryFolder(), "queue");
  new DurableQueue(folder).add("note", 1);
  let inner: unknown;
  await drain(new DurableQueue(folder), async () => {
    inner = await drain(new DurableQueue(folder), () => undefined);
  });
  expect(inner).toEqual({ count: 0, failed: [] });
});

const QUEUE = resolve("src/shared/durable-queue.ts");

it("keeps the job of a killed process", async () => {
  const root = temporaryFolder();
  const [folder, log] = [join(root, "queue"), join(root, "log")];
  const queue = new DurableQueue(folder);
  const { id } = queue.add("note", "first");
  const program = join(root, "drain.mts");
  writeFileSync(
    program,
    `import { appendFileSync } from "node:fs";
     import { DurableQueue } from ${JSON.stringify(QUEUE)};
     const queue = new DurableQueue(${JSON.stringify(folder)});
     await queue.drain({
       perform: { note: async () => {
         appendFileSync(${JSON.stringify(log)}, "killed ");
         process.kill(process.pid, "SIGKILL");
       } },
       waits: () => false,
       onFailed: () => {},
     });`,
  );
  const child = spawn(process.execPath, ["--import", "tsx", program], { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
  // Backdates the lock of the killed process, so that it counts as stale.
  const long = new Date(Date.now() - 60_000);
  utimesSync(join(folder, "turn.lock"), long, long);
  const found: QueuedJob[] = [];
  await drain(queue, (job) => {
    found.push(job);
    appendFileSync(log, "done");
  });
  expect(found).toEqual([{ id, kind: "note", payload: "first" }]);
  expect(readFileSync(log, "utf8")).toBe("killed done");
});
