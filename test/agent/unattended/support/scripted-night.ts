import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCopy } from "../../../../src/agent/copies/copy-place.ts";
import { readJournal } from "../../../../src/agent/unattended/journal.ts";
import {
  findNight,
  listNights,
  readBegunNight,
  readNight,
} from "../../../../src/agent/unattended/night-place.ts";
import { spentOf } from "../../../../src/agent/unattended/night-state.ts";
import { builtProgram } from "../../../support/built-cli.ts";
import { letTimePass } from "../../../support/let-time-pass.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../../support/scripted-model.ts";
import { until } from "../../../support/until.ts";
import type { ChildWish } from "./night.child.ts";
import { startNightBench, taskOf } from "./night-bench.ts";

export interface NightScript {
  readonly tasks: number;
  readonly faults: number;
  readonly seed: number;
  /** US dollars for the whole night; default: more than it takes. */
  readonly limit?: number;
  /** Of each answer. */
  readonly usage?: { readonly input: number; readonly output: number };
}

/** What came of it, for whoever holds it against what must be. */
export interface NightOutcome {
  readonly faults: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly standing: Readonly<Record<string, number>>;
  /** Tasks that are neither done nor told with a reason. */
  readonly untold: readonly string[];
  /** What is wrong with the files of a task that is done. */
  readonly wrong: readonly string[];
  /** Tasks for which the journal has more than one end. */
  readonly twice: readonly string[];
  readonly billed: number;
  readonly spent: number;
  readonly limit: number;
  /** Why it ended before everything was done; empty: it did not. */
  readonly endedBy: string;
  readonly project: string;
}

/** Share of the faults that is left to processes. */
const OF_PROCESSES = 0.4;
const USAGE = { input: 30, output: 10 };

/**
 * A night by script: tasks of three calls each, tasks whose tests hang, a model that is asked too often,
 * is away and breaks off, a disk that is full, and a process that is killed with all that it started
 * wherever it happens to be. Each start goes on where the last was.
 */
export async function scriptedNight({
  tasks,
  faults,
  seed,
  limit = 60,
  usage = USAGE,
}: NightScript): Promise<NightOutcome> {
  const bench = await startNightBench();
  const { root, project, dataDir, model } = bench;
  const random = randomFrom(seed);
  const counts: Record<string, number> = {};
  const count = (fault: string) => {
    counts[fault] = (counts[fault] ?? 0) + 1;
  };
  const left = () => faults - Object.values(counts).reduce((sum, one) => sum + one, 0);
  let billed = 0;
  model.respond((request) => {
    const isOfModel = left() > faults * OF_PROCESSES && random() < 0.4;
    const fault = isOfModel ? faultOf(random) : undefined;
    if (fault !== undefined) {
      count(fault.name);
      return fault.answer;
    }
    billed += (usage.input * 1 + usage.output * 10) / 1e6;
    return { ...workOf(request), usage };
  });
  const hanging = Math.max(1, Math.floor(tasks / 10));
  const lines = Array.from({ length: tasks }, (_, index) => {
    const id = index + 1;
    const check = id <= hanging ? "sleep 600" : `grep -q 'c of ${id}$' list.txt`;
    const after = id > hanging + 1 && id % 5 === 0 ? `\n  after: ${id - 1}` : "";
    return `- [ ] Task ${id}\n  check: ${check}${after}`;
  });
  writeFileSync(join(root, "tasks.md"), `${lines.join("\n")}\n`);
  writeFileSync(join(root, "clock"), `${Date.parse("2026-01-01T22:00:00.000Z")}`);
  const wish: ChildWish = {
    root,
    project,
    dataDir,
    baseUrl: model.baseUrl,
    cost: limit,
    atOnce: 2,
  };
  let starts = 0;
  for (;;) {
    starts += 1;
    const child = await startChild(wish);
    const ended = once(child, "close");
    if (left() > 0) await Promise.race([ended, someRequestsLater(model, random)]);
    else await ended;
    if (child.exitCode === null && child.signalCode === null) {
      count(random() < 0.5 ? "kill -9" : "all ended at once");
      endAll(child);
      await ended;
    } else if (isOver(dataDir, project)) break;
    if (starts > faults * 3) throw new Error("The night has no end.");
  }
  return outcomeOf(bench, { counts, starts, billed, limit });
}

/** Each of its calls leaves one line: done twice, there are two. */
function workOf({ body }: ScriptedRequest): ScriptedAnswer {
  const id = taskOf(body.messages);
  const text = JSON.stringify(body.messages.filter(({ role }) => role === "tool"));
  const next = ["a", "b", "c"].find((part) => !text.includes(`done ${part}`));
  if (next === undefined) return { text: "Done." };
  const line = `${next} of ${id}`;
  // What a machine that stopped left is looked at first, as a careful agent would.
  const command = `grep -qx '${line}' list.txt || echo '${line}' >> list.txt; echo done ${next}`;
  return { toolCalls: [{ name: "shell", args: { command } }] };
}

function faultOf(random: () => number): { name: string; answer: ScriptedAnswer } {
  const kinds: readonly { name: string; answer: ScriptedAnswer }[] = [
    { name: "an hour's limit", answer: { status: 429, headers: { "retry-after": "3600" } } },
    { name: "service away", answer: { status: 503 } },
    { name: "stream cut", answer: { text: "I will now", cutOff: true } },
    { name: "stream ends early", answer: { text: "I will", endEarly: true } },
  ];
  return kinds[Math.floor(random() * kinds.length)] ?? { name: "none", answer: {} };
}

async function startChild(wish: ChildWish): Promise<ChildProcess> {
  const program = await builtProgram("night");
  return spawn(process.execPath, [program, JSON.stringify(wish)], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
}

/** Wherever it is then: at its start, in an answer, in a call, in a check, at the end of a task. */
async function someRequestsLater(
  model: { readonly requests: readonly unknown[] },
  random: () => number,
): Promise<void> {
  const many = model.requests.length + Math.floor(random() * 5);
  await until(() => model.requests.length >= many, { limitMs: 60_000 });
  await letTimePass(random() * 400, "the moment is left to chance");
}

/** The process and what it has in its group, as when the machine goes down. */
function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isOver(dataDir: string, project: string): boolean {
  const night = listNights(dataDir, project).at(-1);
  return night !== undefined && readBegunNight(night)?.ended !== undefined;
}

function outcomeOf(
  { dataDir, project, git }: Awaited<ReturnType<typeof startNightBench>>,
  {
    counts,
    starts,
    billed,
    limit,
  }: { counts: Record<string, number>; starts: number; billed: number; limit: number },
): NightOutcome {
  const place = findNight(dataDir, project);
  const state = readNight(place);
  const ends = readJournal(place.journal).entries.flatMap((entry) =>
    entry.is === "finished" ? [entry.task] : [],
  );
  const standing: Record<string, number> = {};
  const wrong: string[] = [];
  const untold: string[] = [];
  for (const { task, status, reason, copy } of state.tasks.values()) {
    standing[status] = (standing[status] ?? 0) + 1;
    if (status !== "done" && (status !== "failed" || reason === "")) untold.push(task.id);
    if (status !== "done") continue;
    const { tree } = findCopy(dataDir, project, copy ?? "");
    const text = readFileSync(join(tree, "list.txt"), "utf8");
    const of = [...task.after, task.id];
    const lines = of.flatMap((id) => ["a", "b", "c"].map((part) => `${part} of ${id}\n`));
    if (text !== `begin\n${lines.join("")}`) wrong.push(`${task.id}: ${JSON.stringify(text)}`);
  }
  return {
    ...{
      faults: {
        ...counts,
        "disk full": state.waits.filter(({ reason }) => /free/.test(reason)).length,
      },
    },
    ...{ starts, standing, untold, wrong, billed, limit },
    twice: ends.filter((id, index) => ends.indexOf(id) !== index),
    spent: spentOf(state).dollars,
    endedBy: state.ended?.reason ?? "",
    project: `${git("status", "--porcelain")}${readFileSync(join(project, "list.txt"), "utf8")}`,
  };
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
